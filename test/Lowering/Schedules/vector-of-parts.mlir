// RUN: fuser-run %s --device=host --check --program=vector_across_rests | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=lanes_of_two_dimensions | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cut | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tile --sizes=17x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tile --sizes=5x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tile --sizes=0x3 | FileCheck %s
// RUN: fuser-run %s --program=tile --sizes=17x3 --no-run --dump-after=accessed | FileCheck %s --check-prefix=ACCESSED
// Vectors of which some elements exist, along no dimension alone: elementwise ops compute all lanes, and access memory, shared
// memory as well, where they exist.

// CHECK: check {{.*}} ok

fuser.fusion @vector_across_rests(%arg0: tensor<8xf32>) -> tensor<f32> {
  %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0], split(i0, 5) -> (i1, i2), split(i1, 8) -> (i3, i4), loop = [i2, i3, i4 @vectorize], allocation = [i0]>]} : tensor<8xf32>
  %1 = fuser.mean %0 dims [0] {domains = [#fuser.domain<logical = [r0], loop = [r0], allocation = []>]} : tensor<8xf32> -> tensor<f32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  fuser.return %2 : tensor<f32>
}

// Of a vector over a dimension of one element and another one, lanes are read at their own indices.
fuser.fusion @lanes_of_two_dimensions(%x: tensor<3xf32>) -> tensor<1x3xf32> {
  %0 = fuser.broadcast %x dims [0] {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1]>]} : tensor<3xf32> -> tensor<1x3xf32>
  %1 = fuser.abs %0 {domains = [#fuser.domain<logical = [b0, i1], split(b0, 8) -> (b2, b3), merge(b3, i1) -> i4, split(i4, 4) -> (i5, i6), loop = [b2, i5, i6 @vectorize]>]} : tensor<1x3xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1]>]} : tensor<1x3xf32>
  fuser.return %2 : tensor<1x3xf32>
}

// Others see the elements that exist alone.
fuser.fusion @cut(%x: tensor<8xf32>, %v: f32) -> tensor<16xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %x {memory = #fuser.memory<shared>, inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0], resize(i0, 2, 6) -> i1, split(i1, 4) -> (i2, i3), loop = [i2, i3 @vectorize]>]} : tensor<8xf32>
  %1 = fuser.pad %0 low [2] high [6] value %v {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i2, i3), loop = [i2, i3 @vectorize]>]} : tensor<8xf32>, f32 -> tensor<16xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i2, i3), loop = [i2, i3 @vectorize]>]} : tensor<16xf32>
  fuser.return %2 : tensor<16xf32>
}

// Rows of three elements, in vectors of four that cross their ends, pass through shared memory: each access is a vector where the
// last lane exists.
// ACCESSED: fuser_loop.if ({{.*}} floordiv 3 + 1 < symbol({{.*}})) {
// ACCESSED: by 4 align 16
// ACCESSED: } else {
fuser.fusion @tile(%x: tensor<?x3xf32>) -> tensor<?x3xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.neg %x {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), merge(i3, i1) -> i4, split(i4, 4) -> (i5, i6), loop = [i2 @block_x, i5 @thread_x, i6 @vectorize], allocation = [i2, i3, i1]>]} : tensor<?x3xf32>
  %1 = fuser.abs %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), merge(i3, i1) -> i4, split(i4, 4) -> (i5, i6), loop = [i2 @block_x, i5 @thread_x, i6 @vectorize]>], inline_at = 1 : i64} : tensor<?x3xf32>
  fuser.return %1 : tensor<?x3xf32>
}
