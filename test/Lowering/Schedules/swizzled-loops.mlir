// RUN: fuser-run %s --device=host --check --program=serial --sizes=5x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=unrolled --sizes=4x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=unswitched --sizes=5x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=unswitched --sizes=16x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=merged --sizes=7x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=merged --sizes=8x32 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Loops over what a swizzle makes: elements are computed in its order, each once.

// CHECK: check {{.*}} ok

// IR-LABEL: gpu.func @serial
// IR: arith.xori
// IR: memref.load
#serial = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), swizzle(i0, i3, 2) -> (i4, i5), loop = [i4, i2, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @serial(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#serial], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// Indices are known: row 1 begins at column 1, row 2 at column 2.
// IR-LABEL: gpu.func @unrolled
// IR-NOT: arith.xori
#unrolled = #fuser.domain<logical = [i0, i1], swizzle(i0, i1, 1) -> (i2, i3), loop = [i2 @unroll, i3 @unroll], allocation = [i0, i1]>
fuser.fusion @unrolled(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.neg %x {domains = [#unrolled], memory = #fuser.memory<global>} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// The last iteration of a swizzled loop is not the last index: bounds are checked at the largest.
// IR-LABEL: gpu.func @unswitched
// IR: scf.if
// IR: arith.xori
// IR: else
// IR: arith.xori
#unswitched = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i6, i7), split(i1, 8) -> (i2, i3), swizzle(i7, i3, 1) -> (i4, i5), loop = [i6 @block_x, i2 @unswitch, i4, i5], allocation = [i0, i1]>
fuser.fusion @unswitched(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#unswitched], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

#merged = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i6, i7), split(i1, 8) -> (i2, i3), merge(i7, i3) -> i4, loop = [i6 @block_x, i2 @unswitch, i4], allocation = [i0, i1]>
fuser.fusion @merged(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#merged], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
