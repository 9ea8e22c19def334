// RUN: fuser-opt %s --fuser-choose-schedules="only=inner_persistent target=h200" | FileCheck %s
// Threads and vectors by the bytes of a row.

// Sizes that nobody knows: rows of up to 32 KB, guarded.
// CHECK-LABEL: fuser.kernel @unknown
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<at_most 0[1], 16384>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
fuser.kernel @unknown(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// 32 KB.
// CHECK-LABEL: fuser.kernel @large
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
fuser.kernel @large(%x: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = fuser.max %x dims [1] : tensor<16384x16384xbf16> -> tensor<16384xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<16384xbf16> -> tensor<16384x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<16384x16384xbf16>, tensor<16384x1xbf16>) -> tensor<16384x16384xbf16>
  fuser.return %2 : tensor<16384x16384xbf16>
}

// 128 KB: the largest.
// CHECK-LABEL: fuser.kernel @largest
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 1024, vector = 8, vectors = 8>
fuser.kernel @largest(%x: tensor<8x65536xbf16>) -> tensor<8x65536xbf16> {
  %0 = fuser.max %x dims [1] : tensor<8x65536xbf16> -> tensor<8xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xbf16> -> tensor<8x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<8x65536xbf16>, tensor<8x1xbf16>) -> tensor<8x65536xbf16>
  fuser.return %2 : tensor<8x65536xbf16>
}

// An odd row: 4-byte vectors that barely cover it.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 2, vectors = 10>
fuser.kernel @odd(%x: tensor<4096x5002xbf16>) -> tensor<4096x5002xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x5002xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x5002xbf16>, tensor<4096x1xbf16>) -> tensor<4096x5002xbf16>
  fuser.return %2 : tensor<4096x5002xbf16>
}

// Short rows: a warp each.
// CHECK-LABEL: fuser.kernel @short
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 4, rows = 4>
fuser.kernel @short(%x: tensor<4096x512xf32>) -> tensor<4096x512xf32> {
  %0 = fuser.max %x dims [1] : tensor<4096x512xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<4096x512xf32>, tensor<4096x1xf32>) -> tensor<4096x512xf32>
  fuser.return %2 : tensor<4096x512xf32>
}

// Tiny rows: part of a warp each.
// CHECK-LABEL: fuser.kernel @tiny
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 8, rows = 16>
fuser.kernel @tiny(%x: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = fuser.max %x dims [1] : tensor<3x7xf32> -> tensor<3xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<3xf32> -> tensor<3x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<3x7xf32>, tensor<3x1xf32>) -> tensor<3x7xf32>
  fuser.return %2 : tensor<3x7xf32>
}

// A length that is known becomes a fact: code for one length; the number of rows stays free.
// CHECK-LABEL: fuser.kernel @known_length
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 2>, #fuser.fact<at_most 0[1], 5002>, #fuser.fact<at_least 0[1], 5002>, #fuser.fact<aligned 0, 4>, #fuser.fact<aligned 1, 4>]
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 2, vectors = 10>
fuser.kernel @known_length(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    fuser_sched.sizes = [array<i64: -1, 5002>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}
