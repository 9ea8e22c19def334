// RUN: fuser-run %s --device=host --check --program=iteration | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=threads | FileCheck %s
// RUN: fuser-run %s --program=threads --no-run --dump-after=guarded | FileCheck %s --check-prefix=GUARDED
// RUN: not fuser-run %s --program=lanes --no-run 2>&1 | FileCheck %s --check-prefix=LANES
// A vector of results of a reduction in the loop of its consumers: one iteration accumulates and stores it.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @iteration(%x: tensor<8x16xf32>, %y: tensor<8x5xf32>) -> (tensor<8xf32>, tensor<8x5xf32>) attributes {facts = [#fuser.fact<aligned 2, 16>]} {
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), broadcast() -> b4, loop = [b4, i2, r1, i3 @vectorize]>], memory = #fuser.memory<global>, inline_at = 1 : i64} : tensor<8x16xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], split(i0, 4) -> (i2, i3), loop = [b1, i2, i3 @vectorize]>], inline_at = 2 : i64} : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.mul %y, %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i1, i2, i3]>], memory = #fuser.memory<global>} : (tensor<8x5xf32>, tensor<8x1xf32>) -> tensor<8x5xf32>
  fuser.return %0, %2 : tensor<8xf32>, tensor<8x5xf32>
}

// All threads shuffle, in each iteration.
// GUARDED: fuser_loop.for %[[I:.*]] to (5) {
// GUARDED: fuser_loop.if (%[[I]] == 0) {
// GUARDED: accumulate fuser.sum
// GUARDED: shuffle 8
// GUARDED: fuser_loop.if (%[[I]] == 0) once [thread_x] {
// GUARDED-NEXT: fuser_loop.for %{{.*}} to (4) on vectorize {
// GUARDED-NEXT: by 4 align 16 = finalize fuser.sum
fuser.fusion @threads(%x: tensor<8x16xf32>, %y: tensor<8x5xf32>) -> (tensor<8xf32>, tensor<8x5xf32>) attributes {facts = [#fuser.fact<aligned 2, 16>]} {
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), broadcast() -> b4, loop = [b4, i2, r1 @thread_x, i3 @vectorize]>], memory = #fuser.memory<global>, inline_at = 1 : i64} : tensor<8x16xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], split(i0, 4) -> (i2, i3), loop = [b1, i2, i3 @vectorize]>], inline_at = 2 : i64} : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.mul %y, %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i1, i2, i3]>], memory = #fuser.memory<global>} : (tensor<8x5xf32>, tensor<8x1xf32>) -> tensor<8x5xf32>
  fuser.return %0, %2 : tensor<8xf32>, tensor<8x5xf32>
}

// The lanes themselves are those of the consumers' loop: an accumulator of one lane would count, those of others not.
// LANES: 'fuser.sum' op expected a vector access of 4 elements to be done once, but id 4, which has one index, has those of a consumer
fuser.fusion @lanes(%x: tensor<8x16xf32>, %y: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [i0, r1], broadcast() -> b2, split(b2, 4) -> (b3, b4), loop = [i0, b3, r1, b4 @vectorize]>], memory = #fuser.memory<global>, inline_at = 2 : i64} : tensor<8x16xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], split(b1, 4) -> (b2, b3), loop = [i0, b2, b3 @vectorize]>], inline_at = 3 : i64} : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.mul %y, %1 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0, i2, i3 @vectorize]>], memory = #fuser.memory<global>} : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  fuser.return %0, %2 : tensor<8xf32>, tensor<8x8xf32>
}
