// Sums over one of two lists of points, few of the other: a thread has two adjacent results, which share what is read for each step,
// also where those before the loop (coordinates of points) are apart.
// RUN: fuser-opt %s --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s

// CHECK-LABEL: fuser.kernel @pairs
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 4, vector = 2, unroll = 4, splits = {{[0-9]+}}>
fuser.kernel @pairs(%a: tensor<1x6000xf32>, %b: tensor<6000x1xf32>) -> tensor<6000xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0, 1]>, unit]} {
  %0 = fuser.sub %a, %b : (tensor<1x6000xf32>, tensor<6000x1xf32>) -> tensor<6000x6000xf32>
  %1 = fuser.square %0 : (tensor<6000x6000xf32>) -> tensor<6000x6000xf32>
  %2 = fuser.exp %1 : (tensor<6000x6000xf32>) -> tensor<6000x6000xf32>
  %3 = fuser.sum %2 dims [0] : tensor<6000x6000xf32> -> tensor<6000xf32>
  fuser.return %3 : tensor<6000xf32>
}

// An odd number of results has no pairs of them.
// CHECK-LABEL: fuser.kernel @odd_pairs
// CHECK-NOT: vector = 2
// CHECK: fuser.sub
fuser.kernel @odd_pairs(%a: tensor<1x6001xf32>, %b: tensor<6000x1xf32>) -> tensor<6001xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0, 1]>, unit]} {
  %0 = fuser.sub %a, %b : (tensor<1x6001xf32>, tensor<6000x1xf32>) -> tensor<6000x6001xf32>
  %1 = fuser.square %0 : (tensor<6000x6001xf32>) -> tensor<6000x6001xf32>
  %2 = fuser.exp %1 : (tensor<6000x6001xf32>) -> tensor<6000x6001xf32>
  %3 = fuser.sum %2 dims [0] : tensor<6000x6001xf32> -> tensor<6001xf32>
  fuser.return %3 : tensor<6001xf32>
}
