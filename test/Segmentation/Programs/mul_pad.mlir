// RUN: fuser-run %s --device=host --check --sizes=64x100,64x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x4096,33x4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5,0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x0,5x0 | FileCheck %s
// S2.1: what is computed is padded where it is computed; there is no fill.

// CHECK: kernels {{ *}}mul_pad_0: grid
// CHECK-NOT: mul_pad_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @mul_pad(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>, %v: f32) -> tensor<?x?xbf16> {
  %0 = fuser.mul %x, %y : tensor<?x?xbf16>
  %1 = fuser.pad %0 low [0, 2] high [0, 30] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
