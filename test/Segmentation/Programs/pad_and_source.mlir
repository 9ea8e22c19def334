// RUN: fuser-run %s --device=host --check --sizes=33x50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x0 | FileCheck %s
// S2.3: a value and its pad, one kernel that computes it once.

// CHECK: kernels {{ *}}pad_and_source_0: grid
// CHECK-NOT: pad_and_source_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @pad_and_source(%x: tensor<?x?xbf16>, %v: f32) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) {
  %0 = fuser.exp %x : tensor<?x?xbf16>
  %1 = fuser.pad %0 low [0, 2] high [0, 6] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  fuser.return %0, %1 : tensor<?x?xbf16>, tensor<?x?xbf16>
}
