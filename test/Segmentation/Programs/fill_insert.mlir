// RUN: fuser-run %s --device=host --check --sizes=33x50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x0 | FileCheck %s
// S2.1: the other spelling of a pad, a fill and an insertion into it.

// CHECK: kernels {{ *}}fill_insert_0: grid
// CHECK-NOT: fill_insert_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @fill_insert(%x: tensor<?x?xbf16>, %v: f32) -> tensor<?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %inner = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %columns = arith.addi %inner, %c32 : index
  %0 = fuser.relu %x : tensor<?x?xbf16>
  %1 = fuser.full %v sizes(%rows, %columns) : f32 -> tensor<?x?xbf16>
  %2 = fuser.insert_slice %0 into %1 [0, 2] : tensor<?x?xbf16> into tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}
