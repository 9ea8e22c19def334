// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s
// Windows of few elements, of which a part is adjacent: a thread has several results, and reads vectors across their windows.

// CHECK-LABEL: fuser.kernel @average
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = window, vector = 4>
fuser.kernel @average(%x: tensor<64x64x56x2x56x2xbf16>) -> tensor<64x64x56x56xbf16> {
  %0 = fuser.cast %x : tensor<64x64x56x2x56x2xbf16> to tensor<64x64x56x2x56x2xf32>
  %1 = fuser.sum %0 dims [3, 5] : tensor<64x64x56x2x56x2xf32> -> tensor<64x64x56x56xf32>
  %2 = fuser.cast %1 : tensor<64x64x56x56xf32> to tensor<64x64x56x56xbf16>
  fuser.return %2 : tensor<64x64x56x56xbf16>
}

// Windows of 3 x 3: several vectors of a row of windows.
// CHECK-LABEL: fuser.kernel @maximum
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = window, vector = 4>
fuser.kernel @maximum(%x: tensor<64x64x56x3x56x3xf32>) -> tensor<64x64x56x56xf32> {
  %0 = fuser.max %x dims [3, 5] : tensor<64x64x56x3x56x3xf32> -> tensor<64x64x56x56xf32>
  fuser.return %0 : tensor<64x64x56x56xf32>
}

// Pairs along the rows alone.
// CHECK-LABEL: fuser.kernel @pairs
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = window, vector = 2>
fuser.kernel @pairs(%x: tensor<64x64x56x56x2xf32>) -> tensor<64x64x56x56xf32> {
  %0 = fuser.sum %x dims [4] : tensor<64x64x56x56x2xf32> -> tensor<64x64x56x56xf32>
  fuser.return %0 : tensor<64x64x56x56xf32>
}

// Sizes that are not known: guarded to be divisible.
// CHECK-LABEL: fuser.kernel @dynamic
// CHECK-SAME: #fuser.fact<divisible 0[4], 4>
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = window, vector = 4>
fuser.kernel @dynamic(%x: tensor<?x?x?x2x?x2xbf16>) -> tensor<?x?x?x?xbf16> {
  %0 = fuser.max %x dims [3, 5] : tensor<?x?x?x2x?x2xbf16> -> tensor<?x?x?x?xbf16>
  fuser.return %0 : tensor<?x?x?x?xbf16>
}

// Not where vectors are no wider than windows (an odd number of results, or windows of 16 bytes), where few results leave
// multiprocessors idle, for long windows, or where windows are outer.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: pattern = inner
fuser.kernel @odd(%x: tensor<64x64x57x2x57x2xbf16>) -> tensor<64x64x57x57xbf16> {
  %0 = fuser.max %x dims [3, 5] : tensor<64x64x57x2x57x2xbf16> -> tensor<64x64x57x57xbf16>
  fuser.return %0 : tensor<64x64x57x57xbf16>
}
// CHECK-LABEL: fuser.kernel @wide
// CHECK-SAME: pattern = inner
fuser.kernel @wide(%x: tensor<64x64x28x4x28x4xf32>) -> tensor<64x64x28x28xf32> {
  %0 = fuser.max %x dims [3, 5] : tensor<64x64x28x4x28x4xf32> -> tensor<64x64x28x28xf32>
  fuser.return %0 : tensor<64x64x28x28xf32>
}
// CHECK-LABEL: fuser.kernel @few
// CHECK-SAME: pattern = inner
fuser.kernel @few(%x: tensor<1x4x56x2x56x2xbf16>) -> tensor<1x4x56x56xbf16> {
  %0 = fuser.max %x dims [3, 5] : tensor<1x4x56x2x56x2xbf16> -> tensor<1x4x56x56xbf16>
  fuser.return %0 : tensor<1x4x56x56xbf16>
}
// CHECK-LABEL: fuser.kernel @long
// CHECK-SAME: pattern = inner
fuser.kernel @long(%x: tensor<64x64x14x16x14x8xbf16>) -> tensor<64x64x14x14xbf16> {
  %0 = fuser.max %x dims [3, 5] : tensor<64x64x14x16x14x8xbf16> -> tensor<64x64x14x14xbf16>
  fuser.return %0 : tensor<64x64x14x14xbf16>
}
// CHECK-LABEL: fuser.kernel @channels_last
// CHECK-SAME: pattern = outer
fuser.kernel @channels_last(%x: tensor<64x56x2x56x2x64xbf16>) -> tensor<64x56x56x64xbf16> {
  %0 = fuser.max %x dims [2, 4] : tensor<64x56x2x56x2x64xbf16> -> tensor<64x56x56x64xbf16>
  fuser.return %0 : tensor<64x56x56x64xbf16>
}
