// RUN: fuser-run %s --device=host --check --sizes=64x100,64x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x4097,33x4097 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1 | FileCheck %s
// A read of the dimension beside its own place does not keep the later padding out of the kernel.

// CHECK: kernels {{ *}}shift_then_pad_0: grid
// CHECK-NOT: shift_then_pad_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @shift_then_pad(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.pad %x low [0, 1] high [0, -1] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %1 = fuser.add %x, %0 : tensor<?x?xf32>
  %2 = fuser.mul %1, %y : tensor<?x?xf32>
  %3 = fuser.pad %2 low [0, 2] high [0, 30] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
