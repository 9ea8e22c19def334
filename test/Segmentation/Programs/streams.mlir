// RUN: fuser-run %s --device=host --check --program=case_i | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=case_ii --sizes=6x5x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=case_ii --sizes=6x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=case_ii --sizes=6x0x7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=case_iii --sizes=6x4x129 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=case_iv | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=case_v --sizes=2x8x5x7 | FileCheck %s --check-prefix=LAST
// RUN: fuser-run %s --device=host --check --program=columns --sizes=33x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=1x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=64x256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=0x256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=4x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts --sizes=35x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=between | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=update | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=multiply --sizes=8x33,33x17 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=twice | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan --sizes=4x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=nested --sizes=4x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=nested --sizes=4x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=nested --sizes=4x384 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=nested_columns --sizes=35x6,6 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts_of_parts --sizes=42x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tiles --sizes=8x33,33x6 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cut | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sliced | FileCheck %s
// RUN: not fuser-run %s --device=host --program=rows --sizes=63x256 2>&1 | FileCheck %s --check-prefix=ODD
// S4.8: fusions over streams against the reference; what host functions they have is in ../stream-loops.mlir.

// CHECK: check {{.*}} ok
// LAST: strides [280, 1, 56, 8]
// LAST: check {{.*}} ok
// ODD: expected {{.*}}0.size[0] mod 4{{.*}} == 0 (fact of the fusion), but got 3 and 0
fuser.fusion @case_i(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @stream], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %2 : tensor<4x8xf32>
}

fuser.fusion @case_ii(%0: tensor<6x?x?xf32>) -> (tensor<6x?xf32>, tensor<6x?x?xf32>) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %1 = fuser.add %0, %one {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x?x?xf32>, f32) -> tensor<6x?x?xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, r2], allocation = [i0, i1]>]} : tensor<6x?x?xf32> -> tensor<6x?xf32>
  %3 = fuser.mul %1, %half {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x?x?xf32>, f32) -> tensor<6x?x?xf32>
  fuser.return %2, %3 : tensor<6x?xf32>, tensor<6x?x?xf32>
}

fuser.fusion @case_iii(%0: tensor<6x4x?xf32>) -> (tensor<6x4xf32>, tensor<6x4x?xf32>) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %1 = fuser.add %0, %one {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x4x?xf32>, f32) -> tensor<6x4x?xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], split(i1, outer 2) -> (i3, i4),
      loop = [i3 @stream, i0, i4, r2], allocation = [i0, i1]>]} : tensor<6x4x?xf32> -> tensor<6x4xf32>
  %3 = fuser.mul %1, %half {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x4x?xf32>, f32) -> tensor<6x4x?xf32>
  fuser.return %2, %3 : tensor<6x4xf32>, tensor<6x4x?xf32>
}

fuser.fusion @case_iv(%0: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {mesh = #fuser.mesh<device_x = 1>} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 1) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @device_x, i3, i4 @stream, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

fuser.fusion @case_v(%0: tensor<2x8x?x?xf32>) -> tensor<2x8x?x?xf32> attributes {mesh = #fuser.mesh<device_x = 1>} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1, i2, i3], split(i1, outer 1) -> (i4, i5),
      loop = [i0 @stream, i4 @device_x, i5, i2, i3], allocation = [i0, i2, i3, i1]>]} : tensor<2x8x?x?xf32>
  fuser.return %1 : tensor<2x8x?x?xf32>
}

// Parts with strides, read and written.
fuser.fusion @columns(%0: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, outer 4) -> (i2, i3), loop = [i2 @stream, i0, i3], allocation = [i0, i1]>]} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// Parts that lie side by side keep vectors: the guards are about a part.
fuser.fusion @rows(%0: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 4) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// More parts than streams, and a boundary inside of the loop.
fuser.fusion @parts(%0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 5) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x64xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 5) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x64xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 5) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x64xf32>
  fuser.return %3 : tensor<?x64xf32>
}

fuser.fusion @between(%0: tensor<4x8xf32>) -> tensor<8xf32> {
  %1 = fuser.max %0 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %3 = fuser.sub %0, %2 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %4 = fuser.sum %3 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  fuser.return %4 : tensor<8xf32>
}

fuser.fusion @update(%0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %1 : tensor<4x8xf32>
}

// Rows of a product: one operand in parts, the other whole.
fuser.fusion @multiply(%0: tensor<?x?xf32>, %1: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %2 = fuser.matmul %0, %1 {domains = [#fuser.domain<logical = [i0, i1, r2], split(i0, outer 2) -> (i3, i4), loop = [i3 @stream, i4, i1, r2], allocation = [i0, i1]>]} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// A value at two positions, in two orders, and read by the same loop.
fuser.fusion @twice(%0: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>, unit]} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1], loop = [i0 @stream, r1], allocation = [i0]>]} : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %1, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>
}

// A scan of each part of the other dimension.
fuser.fusion @scan(%0: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %1 = fuser.cumsum %0 dim 1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x?xf32> -> tensor<4x?xf32>
  fuser.return %1 : tensor<4x?xf32>
}

// Two streams, nested; the inner dimension is dynamic.
fuser.fusion @nested(%0: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4xf32>) {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x?xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x?xf32>
  %3 = fuser.sum %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @stream, i3, r1], allocation = [i0]>]} : tensor<4x?xf32> -> tensor<4xf32>
  fuser.return %2, %3 : tensor<4x?xf32>, tensor<4xf32>
}

// The other way around, with whole dimensions, a boundary in the inner loop, short elements and a column per iteration.
fuser.fusion @nested_columns(%0: tensor<?x6xbf16>, %1: tensor<6xbf16>) -> tensor<?x6xbf16> {
  %2 = fuser.broadcast %1 dims [0] : tensor<6xbf16> -> tensor<1x6xbf16>
  %3 = fuser.mul %0, %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 5) -> (i2, i3), loop = [i1 @stream, i2 @stream, i3], allocation = [i0, i1]>]} : (tensor<?x6xbf16>, tensor<1x6xbf16>) -> tensor<?x6xbf16>
  %4 = fuser.segment_set %3 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 5) -> (i2, i3), loop = [i1 @stream, i2 @stream, i3], allocation = [i0, i1]>]} : tensor<?x6xbf16>
  %5 = fuser.neg %4 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 5) -> (i2, i3), loop = [i1 @stream, i2 @stream, i3], allocation = [i0, i1]>]} : tensor<?x6xbf16>
  fuser.return %5 : tensor<?x6xbf16>
}

// Parts of parts of one dimension.
fuser.fusion @parts_of_parts(%0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i3, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i5, i1], allocation = [i0, i1]>]} : tensor<?x8xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i3, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i5, i1], allocation = [i0, i1]>]} : tensor<?x8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i3, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i5, i1], allocation = [i0, i1]>]} : tensor<?x8xf32>
  fuser.return %3 : tensor<?x8xf32>
}

// Rows and columns of a product, with a sum that runs over rows only.
fuser.fusion @tiles(%0: tensor<?x?xf32>, %1: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %2 = fuser.matmul %0, %1 {domains = [#fuser.domain<logical = [i0, i1, r2], split(i0, outer 2) -> (i3, i4), split(i1, outer 2) -> (i5, i6),
      loop = [i3 @stream, i5 @stream, i4, i6, r2], allocation = [i0, i1]>]} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.sum %2 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, r1], allocation = [i0]>]} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
}

// A path through an op outside of the loop: two loops.
fuser.fusion @cut(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %3 = fuser.max %2 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  %4 = fuser.broadcast %3 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %5 = fuser.sub %1, %4 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  fuser.return %5 : tensor<4x8xf32>
}

// A part of a slice has the strides of what it is a slice of, and no alignment for vectors; a broadcast is a view as well.
fuser.fusion @sliced(%0: tensor<8x12xf32>) -> tensor<8x6xf32> {
  %1 = fuser.slice %0 [0, 3] [8, 6] : tensor<8x12xf32> -> tensor<8x6xf32>
  %2 = fuser.sum %0 dims [1] : tensor<8x12xf32> -> tensor<8xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %4 = fuser.sub %1, %3 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : (tensor<8x6xf32>, tensor<8x1xf32>) -> tensor<8x6xf32>
  fuser.return %4 : tensor<8x6xf32>
}
