// RUN: fuser-opt %s --fuser-choose-schedules="target=h200" | FileCheck %s
// Vectors are required to be aligned as far as the stated address of an argument allows: a fact that another one denies
// would refuse every call.

// CHECK-LABEL: fuser.kernel @weighted
// CHECK-NOT: aligned 2, 8
// CHECK: fuser.return
fuser.kernel @weighted(%w: tensor<4096x3xf32>, %i: tensor<4096x3xi64>, %x: tensor<1024x128xf32>) -> tensor<4096x128xf32> attributes {
    arg_layouts = [unit, unit, #fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<aligned 2, 4>]} {
  %0 = fuser.index_select %x, %i dim 0 : tensor<1024x128xf32>, tensor<4096x3xi64> -> tensor<4096x3x128xf32>
  %1 = fuser.broadcast %w dims [2] : tensor<4096x3xf32> -> tensor<4096x3x1xf32>
  %2 = fuser.mul %0, %1 : (tensor<4096x3x128xf32>, tensor<4096x3x1xf32>) -> tensor<4096x3x128xf32>
  %3 = fuser.sum %2 dims [1] : tensor<4096x3x128xf32> -> tensor<4096x128xf32>
  fuser.return %3 : tensor<4096x128xf32>
}
