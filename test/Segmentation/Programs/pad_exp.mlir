// RUN: fuser-run %s --device=host --check --sizes=33x50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x0 | FileCheck %s
// S2.1: a border and what follows it are one kernel.

// CHECK: kernels {{ *}}pad_exp_0: grid
// CHECK-NOT: pad_exp_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @pad_exp(%x: tensor<?x?xbf16>, %v: f32) -> tensor<?x?xbf16> {
  %0 = fuser.pad %x low [0, 8] high [0, 8] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  %1 = fuser.exp %0 : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
