// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions --fuser-choose-schedules=target=h200 --fuser-apply-schedules -o %t.mlir
// RUN: FileCheck %s --check-prefix=APPLIED --input-file=%t.mlir
// RUN: fuser-run %s --device=host --check --program=of_units | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_a_broadcast | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=computed | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=computed_of_units | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=overwritten | FileCheck %s --check-prefix=IN-PLACE
// RUN: fuser-run %s --device=host --check --program=product_first | FileCheck %s
// Values that are repeated within rows which registers keep.

// APPLIED-COUNT-4: schedule = #fuser_sched.inner_persistent<threads = 64, vectors = 9>
// CHECK-NOT: fallback
// CHECK: check {{.*}} ok

// A weight of each channel, whose threads have others than those of the row: it is loaded again after the reduction.
fuser.fusion @of_units(%a0: tensor<8x64x3x3xf32>, %a1: tensor<8x64x1x1xf32>) -> (tensor<8x64x3x3xf32>) {
  %4 = fuser.mul %a0, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  %6 = fuser.sum %4 dims [1, 2, 3] : tensor<8x64x3x3xf32> -> tensor<8xf32>
  %7 = fuser.broadcast %6 dims [1, 2, 3] : tensor<8xf32> -> tensor<8x1x1x1xf32>
  %9 = fuser.sub %a0, %7 : (tensor<8x64x3x3xf32>, tensor<8x1x1x1xf32>) -> tensor<8x64x3x3xf32>
  %11 = fuser.mul %9, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  fuser.return %11 : tensor<8x64x3x3xf32>
}

// The same, where the dimensions of size 1 are added after the load.
fuser.fusion @of_a_broadcast(%a0: tensor<8x64x3x3xf32>, %b: tensor<8x64xf32>) -> (tensor<8x64x3x3xf32>) {
  %a1 = fuser.broadcast %b dims [2, 3] : tensor<8x64xf32> -> tensor<8x64x1x1xf32>
  %4 = fuser.mul %a0, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  %6 = fuser.sum %4 dims [1, 2, 3] : tensor<8x64x3x3xf32> -> tensor<8xf32>
  %7 = fuser.broadcast %6 dims [1, 2, 3] : tensor<8xf32> -> tensor<8x1x1x1xf32>
  %9 = fuser.sub %a0, %7 : (tensor<8x64x3x3xf32>, tensor<8x1x1x1xf32>) -> tensor<8x64x3x3xf32>
  %11 = fuser.mul %9, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  fuser.return %11 : tensor<8x64x3x3xf32>
}

// What is computed from such a weight is computed again.
fuser.fusion @computed(%a0: tensor<8x64x3x3xf32>, %b: tensor<8x64xf32>) -> (tensor<8x64x3x3xf32>) {
  %t = fuser.tanh %b : tensor<8x64xf32>
  %a1 = fuser.broadcast %t dims [2, 3] : tensor<8x64xf32> -> tensor<8x64x1x1xf32>
  %4 = fuser.mul %a0, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  %6 = fuser.sum %4 dims [1, 2, 3] : tensor<8x64x3x3xf32> -> tensor<8xf32>
  %7 = fuser.broadcast %6 dims [1, 2, 3] : tensor<8xf32> -> tensor<8x1x1x1xf32>
  %9 = fuser.sub %a0, %7 : (tensor<8x64x3x3xf32>, tensor<8x1x1x1xf32>) -> tensor<8x64x3x3xf32>
  %11 = fuser.mul %9, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  fuser.return %11 : tensor<8x64x3x3xf32>
}

fuser.fusion @computed_of_units(%a0: tensor<8x64x3x3xf32>, %b: tensor<8x64x1x1xf32>) -> (tensor<8x64x3x3xf32>) {
  %a1 = fuser.tanh %b : tensor<8x64x1x1xf32>
  %4 = fuser.mul %a0, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  %6 = fuser.sum %4 dims [1, 2, 3] : tensor<8x64x3x3xf32> -> tensor<8xf32>
  %7 = fuser.broadcast %6 dims [1, 2, 3] : tensor<8xf32> -> tensor<8x1x1x1xf32>
  %9 = fuser.sub %a0, %7 : (tensor<8x64x3x3xf32>, tensor<8x1x1x1xf32>) -> tensor<8x64x3x3xf32>
  %11 = fuser.mul %9, %a1 : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  fuser.return %11 : tensor<8x64x3x3xf32>
}

// The product with the weight is kept, which a reduction and its reader need.
fuser.fusion @product_first(%x: tensor<1x8x64x3x3xf32>, %w: tensor<4x64xf32>) -> tensor<4x8x64x3x3xf32> {
  %0 = fuser.broadcast %w dims [1, 3, 4] : tensor<4x64xf32> -> tensor<4x1x64x1x1xf32>
  %1 = fuser.mul %x, %0 : (tensor<1x8x64x3x3xf32>, tensor<4x1x64x1x1xf32>) -> tensor<4x8x64x3x3xf32>
  %2 = fuser.mul %1, %1 : tensor<4x8x64x3x3xf32>
  %3 = fuser.sum %2 dims [2, 3, 4] : tensor<4x8x64x3x3xf32> -> tensor<4x8xf32>
  %4 = fuser.rsqrt %3 : tensor<4x8xf32>
  %5 = fuser.broadcast %4 dims [2, 3, 4] : tensor<4x8xf32> -> tensor<4x8x1x1x1xf32>
  %6 = fuser.mul %1, %5 : (tensor<4x8x64x3x3xf32>, tensor<4x8x1x1x1xf32>) -> tensor<4x8x64x3x3xf32>
  fuser.return %6 : tensor<4x8x64x3x3xf32>
}

// An argument that an output overwrites is not loaded again after the reduction.
// IN-PLACE: check {{.*}}output 0: ok
// IN-PLACE: output 1: ok
fuser.fusion @overwritten(%x: tensor<8x64x3x3xf32>, %w: tensor<8x64x1x1xf32>) -> (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 1>]} {
  %0 = fuser.mul %x, %w : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  %1 = fuser.sum %0 dims [1, 2, 3] : tensor<8x64x3x3xf32> -> tensor<8xf32>
  %2 = fuser.broadcast %1 dims [1, 2, 3] : tensor<8xf32> -> tensor<8x1x1x1xf32>
  %3 = fuser.sub %x, %2 : (tensor<8x64x3x3xf32>, tensor<8x1x1x1xf32>) -> tensor<8x64x3x3xf32>
  %4 = fuser.mul %3, %w : (tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>) -> tensor<8x64x3x3xf32>
  %5 = fuser.add %w, %2 : (tensor<8x64x1x1xf32>, tensor<8x1x1x1xf32>) -> tensor<8x64x1x1xf32>
  fuser.return %4, %5 : tensor<8x64x3x3xf32>, tensor<8x64x1x1xf32>
}
