// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=columns --sizes=7x10x6,10,7x55 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --check-accesses --program=rows --sizes=3x6x6 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --check-accesses --program=octaves --sizes=7x3,10 | FileCheck %s --check-prefix=CHECKED
// A reshape's merged dimension that is read at an offset has one loop, of which its parts are quotients and remainders:
// one kernel each.
// CHECKED: check {{.*}} ok

// One operand has only the outer part.
// CHECK-LABEL: fuser.kernel @columns_0(
// CHECK: fuser.slice {{.*}} [0, 5]
// CHECK-NOT: fuser.kernel @columns_1(
fuser.fusion @columns(%x: tensor<?x10x6xf32>, %w: tensor<10xf32>, %y: tensor<?x55xf32>) -> tensor<?x55xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x10x6xf32>
  %0 = fuser.broadcast %w dims [0, 2] : tensor<10xf32> -> tensor<1x10x1xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x10x6xf32>, tensor<1x10x1xf32>) -> tensor<?x10x6xf32>
  %2 = fuser.reshape %1 : tensor<?x10x6xf32> -> tensor<?x60xf32>
  %3 = fuser.slice %2 [0, 5] [%n, 55] : tensor<?x60xf32> -> tensor<?x55xf32>
  %4 = fuser.add %3, %y : tensor<?x55xf32>
  fuser.return %4 : tensor<?x55xf32>
}

// Both reshapes have parts of their own, of which the inner one is padded.
// CHECK-LABEL: fuser.kernel @rows_0(
// CHECK-NOT: fuser.kernel @rows_1(
fuser.fusion @rows(%x: tensor<3x6x6xf32>) -> tensor<3x6x6xf32> {
  %c = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [0, 0, 1] high [0, 0, 0] value %c : tensor<3x6x6xf32>, f32 -> tensor<3x6x7xf32>
  %1 = fuser.reshape %0 : tensor<3x6x7xf32> -> tensor<3x7x6xf32>
  %2 = fuser.slice %1 [0, 1, 0] [3, 6, 6] : tensor<3x7x6xf32> -> tensor<3x6x6xf32>
  %3 = fuser.exp %2 : tensor<3x6x6xf32>
  fuser.return %3 : tensor<3x6x6xf32>
}

// The angles are computed once for both parts, and the argument is stored by the same kernel.
// CHECK-LABEL: fuser.kernel @octaves_0(
// CHECK-COUNT-1: fuser.mul
// CHECK-DAG: fuser.sin
// CHECK-DAG: fuser.cos
// CHECK-DAG: fuser.set
// CHECK-NOT: fuser.kernel @octaves_1(
// CHECK-LABEL: fuser.host @octaves(
fuser.fusion @octaves(%x: tensor<?x3xf32>, %f: tensor<10xf32>) -> tensor<?x63xf32> {
  %0 = fuser.broadcast %x dims [1] : tensor<?x3xf32> -> tensor<?x1x3xf32>
  %1 = fuser.broadcast %f dims [0, 2] : tensor<10xf32> -> tensor<1x10x1xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x1x3xf32>, tensor<1x10x1xf32>) -> tensor<?x10x3xf32>
  %3 = fuser.reshape %2 : tensor<?x10x3xf32> -> tensor<?x30xf32>
  %4 = fuser.sin %3 : tensor<?x30xf32>
  %5 = fuser.cos %3 : tensor<?x30xf32>
  %6 = fuser.cat %x, %4, %5 dim 1 : (tensor<?x3xf32>, tensor<?x30xf32>, tensor<?x30xf32>) -> tensor<?x63xf32>
  fuser.return %6 : tensor<?x63xf32>
}
