// RUN: fuser-run %s --device=host --check --check-accesses --program=gathered --sizes=100,130 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=gathered --sizes=1,128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=scanned --sizes=5x37 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=scanned --sizes=5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=scattered --sizes=3x8,3x8,10x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=ragged --sizes=40x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=ragged --sizes=9x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=padded --sizes=33x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=clusters --sizes=9x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=divided --sizes=5x7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=divided --sizes=5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --program=divided --sizes=0x7 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// RUN: fuser-run %s --device=host --program=gathered --sizes=100,130 --no-run --dump-after=guarded | FileCheck %s --check-prefix=TEXT
// What a version without guards computes, for ops of all kinds.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// Data may be outside in both versions.
// TEXT: fuser_loop.if ({{.*}}) {
// TEXT: where
// TEXT: } else {
// TEXT: where
// IR-LABEL: gpu.func @gathered
// IR: } else {
#g = #fuser.domain<logical = [i0], split(i0, 32) -> (i2, i3), split(i2, 2) -> (i4, i5), loop = [i4 @block_x, i5 @unswitch, i3 @thread_x], allocation = [i0]>
fuser.fusion @gathered(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %0 = fuser.index_select %x, %i dim 0 {domains = [#g], inline_at = 3 : i64} : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  %1 = fuser.neg %0 {domains = [#g], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// The tuple goes from one iteration to the next in either version.
// IR-LABEL: gpu.func @scanned
// IR: } else {
#c = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), loop = [i0 @thread_x, i2 @unswitch, i3 @unroll], allocation = [i0, i1]>
fuser.fusion @scanned(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[0], 16>]} {
  %0 = fuser.cumsum %x dim 1 {domains = [#c], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// IR-LABEL: gpu.func @scattered
// IR: } else {
#s = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 16) -> (i3, i4), split(i3, 4) -> (i5, i6), loop = [i5 @block_x, i6 @unswitch, i4 @thread_x], allocation = [i0, i1]>
fuser.fusion @scattered(%src: tensor<?x8xf32>, %i: tensor<?x8xi64>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.scatter %src at %i into %x dim 0 {domains = [#s], memory = #fuser.memory<global>} : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// Indices are added, at which nothing exists: rows before the first and after the last one, and parts of vectors.
// IR-LABEL: gpu.func @ragged
// IR: scf.if
#r = #fuser.domain<logical = [i0, i1], resize(i0, 3, 2) -> i7, split(i7, 4) -> (i2, i3), resize(i1, 2, 2) -> i6, split(i6, 4) -> (i4, i5), loop = [i2 @block_x, i3 @unswitch, i4 @thread_x, i5 @vectorize], allocation = [i0, i1]>
fuser.fusion @ragged(%x: tensor<?x16xf32>) -> tensor<?x16xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.exp %x {domains = [#r], memory = #fuser.memory<global>} : tensor<?x16xf32>
  fuser.return %0 : tensor<?x16xf32>
}

// Reads outside of the operand are guarded in both versions.
// IR-LABEL: gpu.func @padded
// IR: } else {
#p = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i0, 8) -> (i4, i5), split(i5, 2) -> (i6, i7), loop = [i4 @block_x, i6 @unswitch, i7 @unroll, i2 @thread_x, i3 @vectorize], allocation = [i0, i1]>
fuser.fusion @padded(%x: tensor<?x64xf32>) -> tensor<?x72xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %v = arith.constant 1.5 : f32
  %0 = fuser.pad %x low [1, 3] high [1, 5] value %v {domains = [#p], inline_at = 5 : i64} : tensor<?x64xf32>, f32 -> tensor<?x72xf32>
  %1 = fuser.neg %0 {domains = [#p], memory = #fuser.memory<global>} : tensor<?x72xf32>
  fuser.return %1 : tensor<?x72xf32>
}

// IR-LABEL: gpu.func @clusters
// IR: } else {
#k = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 3) -> (i4, i5), loop = [i2 @block_x, i3 @cluster_x, i4, i5 @unswitch]>
fuser.fusion @clusters(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#k], inline_at = 3 : i64} : tensor<?x?xf32>
  %1 = fuser.set %0 {domains = [#k], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// Rows and columns by division of the index of a loop that may have no iteration.
// IR-LABEL: gpu.func @divided
// IR: } else {
#q = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), merge(i0, i2) -> i4, split(i4, 3) -> (i5, i6), loop = [i5 @unswitch, i6 @unroll, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @divided(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#q], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
