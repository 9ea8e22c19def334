// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s
// Reductions of values that no argument has: a thread has several results, which share what it reads.

// CHECK-LABEL: fuser.kernel @distances
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 4, unroll = 4>
fuser.kernel @distances(%a: tensor<4000x32xf32>, %b: tensor<4000x32xf32>) -> tensor<4000x4000xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<4000x32xf32> -> tensor<4000x1x32xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<4000x32xf32> -> tensor<1x4000x32xf32>
  %2 = fuser.sub %0, %1 : (tensor<4000x1x32xf32>, tensor<1x4000x32xf32>) -> tensor<4000x4000x32xf32>
  %3 = fuser.abs %2 : tensor<4000x4000x32xf32>
  %4 = fuser.sum %3 dims [2] : tensor<4000x4000x32xf32> -> tensor<4000x4000xf32>
  fuser.return %4 : tensor<4000x4000xf32>
}

// Sizes that are not known: guarded to be divisible, and to have as many reduced elements.
// CHECK-LABEL: fuser.kernel @dynamic
// CHECK-SAME: #fuser.fact<divisible 1[0], 4>
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 4, unroll = 4>
fuser.kernel @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {fuser_sched.sizes = [array<i64: 4000, 32>, array<i64: 4000, 32>]} {
  %0 = fuser.broadcast %a dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.abs %2 : tensor<?x?x?xf32>
  %4 = fuser.sum %3 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}

// Results of a list, each of all elements of another: one row.
// CHECK-LABEL: fuser.kernel @nearest
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = tile, vector = 4>
fuser.kernel @nearest(%a: tensor<1000000xf32>, %b: tensor<64xf32>) -> tensor<1000000xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<1000000xf32> -> tensor<1000000x1xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %2 = fuser.sub %0, %1 : (tensor<1000000x1xf32>, tensor<1x64xf32>) -> tensor<1000000x64xf32>
  %3 = fuser.abs %2 : tensor<1000000x64xf32>
  %4 = fuser.min %3 dims [1] : tensor<1000000x64xf32> -> tensor<1000000xf32>
  fuser.return %4 : tensor<1000000xf32>
}

// Smaller tiles where results are few.
// CHECK-LABEL: fuser.kernel @small
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 4>
fuser.kernel @small(%a: tensor<400x256xf32>, %b: tensor<400x256xf32>) -> tensor<400x400xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<400x256xf32> -> tensor<400x1x256xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<400x256xf32> -> tensor<1x400x256xf32>
  %2 = fuser.sub %0, %1 : (tensor<400x1x256xf32>, tensor<1x400x256xf32>) -> tensor<400x400x256xf32>
  %3 = fuser.abs %2 : tensor<400x400x256xf32>
  %4 = fuser.sum %3 dims [2] : tensor<400x400x256xf32> -> tensor<400x400xf32>
  fuser.return %4 : tensor<400x400xf32>
}

// An odd number of results of a row, and of rows.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, unroll = 4>
fuser.kernel @odd(%a: tensor<4003x32xf32>, %b: tensor<4001x32xf32>) -> tensor<4003x4001xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<4003x32xf32> -> tensor<4003x1x32xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<4001x32xf32> -> tensor<1x4001x32xf32>
  %2 = fuser.sub %0, %1 : (tensor<4003x1x32xf32>, tensor<1x4001x32xf32>) -> tensor<4003x4001x32xf32>
  %3 = fuser.abs %2 : tensor<4003x4001x32xf32>
  %4 = fuser.sum %3 dims [2] : tensor<4003x4001x32xf32> -> tensor<4003x4001xf32>
  fuser.return %4 : tensor<4003x4001xf32>
}

// Not where an argument has all dimensions, where memory limits the kernel (few results of each element), where one row of results
// is odd, or where results are few.
// CHECK-LABEL: fuser.kernel @whole
// CHECK-SAME: pattern = inner
fuser.kernel @whole(%a: tensor<4000x400x32xf32>, %b: tensor<400x32xf32>) -> tensor<4000x400xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<400x32xf32> -> tensor<1x400x32xf32>
  %1 = fuser.sub %a, %0 : (tensor<4000x400x32xf32>, tensor<1x400x32xf32>) -> tensor<4000x400x32xf32>
  %2 = fuser.abs %1 : tensor<4000x400x32xf32>
  %3 = fuser.sum %2 dims [2] : tensor<4000x400x32xf32> -> tensor<4000x400xf32>
  fuser.return %3 : tensor<4000x400xf32>
}
// CHECK-LABEL: fuser.kernel @memory
// CHECK-SAME: pattern = inner
fuser.kernel @memory(%a: tensor<100000x1024xf32>, %b: tensor<2x1024xf32>) -> tensor<100000x2xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<100000x1024xf32> -> tensor<100000x1x1024xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<2x1024xf32> -> tensor<1x2x1024xf32>
  %2 = fuser.mul %0, %1 : (tensor<100000x1x1024xf32>, tensor<1x2x1024xf32>) -> tensor<100000x2x1024xf32>
  %3 = fuser.sum %2 dims [2] : tensor<100000x2x1024xf32> -> tensor<100000x2xf32>
  fuser.return %3 : tensor<100000x2xf32>
}
// CHECK-LABEL: fuser.kernel @row
// CHECK-SAME: pattern = outer
fuser.kernel @row(%a: tensor<1000001xf32>, %b: tensor<64xf32>) -> tensor<1000001xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<1000001xf32> -> tensor<1000001x1xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %2 = fuser.sub %0, %1 : (tensor<1000001x1xf32>, tensor<1x64xf32>) -> tensor<1000001x64xf32>
  %3 = fuser.abs %2 : tensor<1000001x64xf32>
  %4 = fuser.min %3 dims [1] : tensor<1000001x64xf32> -> tensor<1000001xf32>
  fuser.return %4 : tensor<1000001xf32>
}
// CHECK-LABEL: fuser.kernel @few
// CHECK-SAME: pattern = inner
fuser.kernel @few(%a: tensor<100x3200xf32>, %b: tensor<100x3200xf32>) -> tensor<100x100xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<100x3200xf32> -> tensor<100x1x3200xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<100x3200xf32> -> tensor<1x100x3200xf32>
  %2 = fuser.sub %0, %1 : (tensor<100x1x3200xf32>, tensor<1x100x3200xf32>) -> tensor<100x100x3200xf32>
  %3 = fuser.abs %2 : tensor<100x100x3200xf32>
  %4 = fuser.sum %3 dims [2] : tensor<100x100x3200xf32> -> tensor<100x100xf32>
  fuser.return %4 : tensor<100x100xf32>
}
