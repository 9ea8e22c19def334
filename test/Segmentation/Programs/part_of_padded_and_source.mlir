// RUN: fuser-run %s --device=host --check --sizes=64x100,64x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x64,33x64 | FileCheck %s
// The loops over a part of the padded value would not reach the first columns of the value itself, which is returned, too: the scheduler
// refuses them, two resizes away, before any lowering.

// CHECK: kernels {{ *}}part_0: grid
// CHECK: part_1: grid
// CHECK-NOT: fallback
// CHECK: check {{.*}}output 0: ok
// CHECK: output 1: ok
// CHECK-NOT: WRONG

fuser.fusion @part(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %v: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.mul %x, %y : tensor<?x?xf32>
  %1 = fuser.pad %0 low [0, 2] high [0, 300] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3 = fuser.pad %2 low [0, -7] high [0, 0] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %0, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}
