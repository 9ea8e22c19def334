// Items in a row with one guard share a branch; tiles on registers need none, but stay in one.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-place-guards))" | FileCheck %s
!x = !fuser_loop.buffer<?xf32, global>
!y = !fuser_loop.buffer<?x?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>

// The guard does not depend on the lanes: one branch around three vector loops. The loop over blocks is implied.
fuser_loop.kernel @vectors(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [128, 1, 1] grid [symbol(%n) ceildiv 512, 1, 1] {
  fuser_loop.for %b to (symbol(%n) ceildiv 512) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      %r = fuser_loop.buffer : !r
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %r{%v} by 4 align 16 = %x{512 * %b + 4 * %t + %v} by 4 align 16 if (512 * %b + 4 * %t < symbol(%n)) : (!x) -> !r of tensor<?xf32>
      }
      %q = fuser_loop.buffer : !r
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %q{%v} by 4 align 16 = fuser.exp(%r{%v} by 4 align 16) if (512 * %b + 4 * %t < symbol(%n)) : (!r) -> !r of (tensor<?xf32>) -> tensor<?xf32>
      }
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %y{512 * %b + 4 * %t + %v} by 4 align 16 = %q{%v} by 4 align 16 if (512 * %b + 4 * %t < symbol(%n)) : (!r) -> !x of tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @vectors(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage guarded index_bits 64 threads [128, 1, 1] grid [symbol(%[[ARG2]]) ceildiv 512, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (symbol(%[[ARG2]]) ceildiv 512) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] * 512 + %[[ARG4]] * 4 < symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG5]]} by 4 align 16 = %[[ARG0]]{%[[ARG3]] * 512 + %[[ARG4]] * 4 + %[[ARG5]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V1]]{%[[ARG5]]} by 4 align 16 = fuser.exp(%[[V0]]{%[[ARG5]]} by 4 align 16)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<4xf32, register> of (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]] * 512 + %[[ARG4]] * 4 + %[[ARG5]]} by 4 align 16 = %[[V1]]{%[[ARG5]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Fewer indices than the launch: threads, blocks, and copies up to a bound. A tile that is replicated ignores them.
fuser_loop.kernel @beyond(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [128, 1, 1] grid [symbol(%n) ceildiv 512, 1, 1] {
  fuser_loop.for %b to (symbol(%n) ceildiv 1024) on block_x {
    fuser_loop.for %t to (100) on thread_x {
      fuser_loop.tile %y{100 * %b + %t} by 1 align 4 = %x{%t} by 1 align 4 : (!x) -> !x of tensor<?xf32>
      %r = fuser_loop.buffer : !s
      fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 replicated [thread_x, block_x] : (!x) -> !s of tensor<?xf32>
      fuser_loop.for %u to (symbol(%n)) on unroll bound 4 {
        fuser_loop.tile %y{%u} by 1 align 4 = %r{0} by 1 align 4 replicated [block_x, thread_x] : (!s) -> !x of tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @beyond(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage guarded index_bits 64 threads [128, 1, 1] grid [symbol(%[[ARG2]]) ceildiv 512, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (symbol(%[[ARG2]]) ceildiv 1024) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (100) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < symbol(%[[ARG2]]) ceildiv 1024, %[[ARG4]] < 100) {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]] * 100 + %[[ARG4]]} by 1 align 4 = %[[ARG0]]{%[[ARG4]]} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[V0]]{0} by 1 align 4 = %[[ARG0]]{0} by 1 align 4 replicated [thread_x, block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<f32, register> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on unroll bound 4 {
// CHECK-NEXT: fuser_loop.if (%[[ARG5]] < symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG5]]} by 1 align 4 = %[[V0]]{0} by 1 align 4 replicated [block_x, thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// What ranges prove is dropped, but then the loop that the range is of has a guard.
fuser_loop.kernel @proved(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [128, 1, 1] grid [symbol(%n) ceildiv 512, 1, 1] {
  fuser_loop.for %b to (4) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      fuser_loop.tile %y{128 * %b + %t} by 1 align 4 = %x{0} by 1 align 4 if (128 * %b + %t < 512) : (!x) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @proved(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage guarded index_bits 64 threads [128, 1, 1] grid [symbol(%[[ARG2]]) ceildiv 512, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (4) on block_x {
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < 4) {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]] * 128 + %[[ARG4]]} by 1 align 4 = %[[ARG0]]{0} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A serial loop ends a branch, another guard as well, and `once` is part of it.
fuser_loop.kernel @ends(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [128, 1, 1] grid [symbol(%n) ceildiv 512, 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    fuser_loop.tile %y{%t} by 1 align 4 = %x{%t} by 1 align 4 if (%t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    fuser_loop.tile %y{%t} by 1 align 4 = %x{%t} by 1 align 4 if (%t < symbol(%n)) once [block_x] : (!x) -> !x of tensor<?xf32>
    fuser_loop.for %i to (symbol(%n)) {
      fuser_loop.tile %y{%t} by 1 align 4 = %x{%i} by 1 align 4 if (%t < symbol(%n)) once [block_x] : (!x) -> !x of tensor<?xf32>
    }
    fuser_loop.for %u to (2) on unroll {
      fuser_loop.tile %y{%t} by 1 align 4 = %x{%u} by 1 align 4 if (%t + %u < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @ends(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage guarded index_bits 64 threads [128, 1, 1] grid [symbol(%[[ARG2]]) ceildiv 512, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]]} by 1 align 4 = %[[ARG0]]{%[[ARG3]]} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < symbol(%[[ARG2]])) once [block_x] {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]]} by 1 align 4 = %[[ARG0]]{%[[ARG3]]} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < symbol(%[[ARG2]])) once [block_x] {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]]} by 1 align 4 = %[[ARG0]]{%[[ARG4]]} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] + %[[ARG4]] < symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]]} by 1 align 4 = %[[ARG0]]{%[[ARG4]]} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// What threads of a warp shuffle stands in one branch with its loads and stores, where whole warps take it: rows of threads
// are warps. The guard of the columns stays where it is.
fuser_loop.kernel @warps(%x: !y from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage accessed index_bits 64 threads [32, 4, 1] grid [symbol(%m) ceildiv 4, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 4) on block_x {
    fuser_loop.for %w to (4) on thread_y {
      %a = fuser_loop.buffer : !s
      fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, thread_x, thread_y] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.tile %a{0} by 1 align 4 = accumulate fuser.sum(%x{(4 * %b + %w) * symbol(%n) + %t} by 1 align 4) {dims = array<i64: 1>} if (4 * %b + %w < symbol(%m), %t < symbol(%n)) : (!y) -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      }
      fuser_loop.tile %a{0} by 1 align 4 = shuffle 16 fuser.sum() {dims = array<i64: 1>} replicated [block_x, thread_x, thread_y] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      %s = fuser_loop.buffer : !s
      fuser_loop.tile %s{0} by 1 align 4 = finalize fuser.sum(%a{0} by 1 align 4) {dims = array<i64: 1>} count [symbol(%n)] replicated [thread_x] : (!s) -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %y{4 * %b + %w} by 1 align 4 = %s{0} by 1 align 4 if (4 * %b + %w < symbol(%m)) once [thread_x] : (!s) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @warps(
// CHECK: on thread_y {
// CHECK-NEXT: = fuser_loop.buffer
// CHECK-NEXT: = fuser_loop.buffer
// CHECK-NEXT: fuser_loop.if (%[[B:[a-z0-9_]+]] * 4 + %[[W:[a-z0-9_]+]] < symbol(%{{.*}})) {
// CHECK: fuser_loop.if (%[[T:[a-z0-9_]+]] < symbol(%{{.*}})) {
// CHECK-NEXT: fuser_loop.tile {{.*}}accumulate
// CHECK: shuffle 16
// CHECK: fuser_loop.if () once [thread_x] {

// Rows of 16 threads: a warp has two, so that its threads do not agree.
fuser_loop.kernel @half_warps(%x: !y from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage accessed index_bits 64 threads [16, 4, 1] grid [symbol(%m) ceildiv 4, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 4) on block_x {
    fuser_loop.for %w to (4) on thread_y {
      %a = fuser_loop.buffer : !s
      fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, thread_x, thread_y] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.for %t to (16) on thread_x {
        fuser_loop.tile %a{0} by 1 align 4 = accumulate fuser.sum(%x{(4 * %b + %w) * symbol(%n) + %t} by 1 align 4) {dims = array<i64: 1>} if (4 * %b + %w < symbol(%m)) : (!y) -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      }
      fuser_loop.tile %a{0} by 1 align 4 = shuffle 8 fuser.sum() {dims = array<i64: 1>} replicated [block_x, thread_x, thread_y] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %y{4 * %b + %w} by 1 align 4 = %a{0} by 1 align 4 if (4 * %b + %w < symbol(%m)) once [thread_x] : (!s) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @half_warps(
// CHECK: initial
// CHECK: fuser_loop.if
// CHECK-NEXT: fuser_loop.for
// CHECK-NEXT: fuser_loop.tile {{.*}}accumulate
// CHECK: shuffle 8
// CHECK: fuser_loop.if
// Data is read in the branch of its tile; an index that does not depend on data is computed before the branch.
!i = !fuser_loop.buffer<?xi32, global>
fuser_loop.kernel @at_data(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 4, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>, %m: index from #fuser_gpu.size<1, 0>)
    stage accessed index_bits 64 threads [128, 1, 1] grid [symbol(%m) ceildiv 128, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 128) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      %s = fuser_loop.xor (%t, (%t floordiv 8) mod 8)
      %0 = fuser_loop.index %i{128 * %b + %s} by 1 align 4 : !i
      fuser_loop.tile %y{128 * %b + %s} by 1 align 4 = %x{%0} by 1 align 4 where (%0 < symbol(%n)) if (128 * %b + %s < symbol(%m)) : (!x) -> !x of tensor<?xf32>
      %u = fuser_loop.xor (%t, (%t floordiv 4) mod 4)
      %1 = fuser_loop.index %i{%u} by 1 align 4 : !i
      fuser_loop.tile %y{%u} by 1 align 4 = %x{%1} by 1 align 4 where (%1 < symbol(%n)) if (128 * %b + %s < symbol(%m)) : (!x) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @at_data(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xi32, global> from #fuser_gpu.pointer<1> strides [1] align 4, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 4, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>)
// CHECK-NEXT: stage guarded index_bits 64 threads [128, 1, 1] grid [symbol(%[[ARG4]]) ceildiv 128, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG4]]) ceildiv 128) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.xor (%[[ARG6]], (%[[ARG6]] floordiv 8) mod 8)
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.xor (%[[ARG6]], (%[[ARG6]] floordiv 4) mod 4)
// CHECK-NEXT: fuser_loop.if (%[[ARG5]] * 128 + %[[V0]] < symbol(%[[ARG4]])) {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.index %[[ARG1]]{%[[ARG5]] * 128 + %[[V0]]} by 1 align 4 : !fuser_loop.buffer<?xi32, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG2]]{%[[ARG5]] * 128 + %[[V0]]} by 1 align 4 = %[[ARG0]]{%[[V2]]} by 1 align 4 where (%[[V2]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = fuser_loop.index %[[ARG1]]{%[[V1]]} by 1 align 4 : !fuser_loop.buffer<?xi32, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG2]]{%[[V1]]} by 1 align 4 = %[[ARG0]]{%[[V3]]} by 1 align 4 where (%[[V3]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// All blocks of a cluster reach its barrier: no branch is around it.
fuser_loop.kernel @cluster(%x: !y from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage accessed index_bits 64 threads [32, 1, 1] grid [symbol(%m), 1, 1] cluster 2 {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !s
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, cluster_x, thread_x] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 1 align 4 = accumulate fuser.sum(%x{%b * symbol(%n) + %t} by 1 align 4) {dims = array<i64: 1>} if (%b + 1 < symbol(%m)) : (!y) -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.tile %a{0} by 1 align 4 = shuffle 16 fuser.sum() {dims = array<i64: 1>} replicated [block_x, cluster_x, thread_x] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.cluster_barrier both
    fuser_loop.tile %y{%b} by 1 align 4 = %a{0} by 1 align 4 if (%b + 1 < symbol(%m)) once [thread_x, cluster_x] : (!s) -> !x of tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @cluster(
// CHECK: initial
// CHECK: fuser_loop.if
// CHECK: accumulate
// CHECK-NEXT: : (
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile {{.*}}shuffle 16
// CHECK: fuser_loop.cluster_barrier both
// CHECK-NEXT: fuser_loop.if

// What only guarded tiles read is computed in their branch, and does not end it.
!f = !fuser_loop.buffer<4xf32, register>
fuser_loop.kernel @between(%x: !y from #fuser_gpu.pointer<0> strides [4, 1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [4, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 32 threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  %v = arith.constant 1.0 : f64
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      %0 = fuser_loop.buffer : !f
      %1 = fuser_loop.buffer : !f
      %2 = fuser_loop.buffer : !f
      fuser_loop.for %k to (4) on vectorize {
        fuser_loop.tile %0{%k} by 4 align 16 = %x{(%b * 32 + %t) * 4 + %k} by 4 align 16 if (%b * 32 + %t < symbol(%m)) : (!y) -> !f of tensor<?x4xf32>
        fuser_loop.tile %1{%k} by 4 align 16 = fuser.full(%v scalar) : (f64) -> !f of (f64) -> tensor<1x4xf32>
        fuser_loop.tile %2{%k} by 4 align 16 = fuser.add(%0{%k} by 4 align 16, %1{%k} by 4 align 16) if (%b * 32 + %t < symbol(%m)) : (!f, !f) -> !f of (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
        fuser_loop.tile %y{(%b * 32 + %t) * 4 + %k} by 4 align 16 = %2{%k} by 4 align 16 if (%b * 32 + %t < symbol(%m)) : (!f) -> !y of tensor<?x4xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @between(
// CHECK: fuser_loop.if
// CHECK-NOT: fuser_loop.if
// CHECK: fuser.full
// CHECK-NOT: fuser_loop.if
// CHECK: fuser.add

// Of four threads that compute the same element, the first one stores it in place: the others, whose reads might be later, read nothing.
fuser_loop.kernel @overwritten(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %z: !x from #fuser_gpu.pointer<1> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [4, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %t to (4) on thread_x {
      %r = fuser_loop.buffer : !s
      fuser_loop.tile %r{0} by 1 align 4 = %x{%b} by 1 align 4 : (!x) -> !s of tensor<?xf32>
      %q = fuser_loop.buffer : !s
      fuser_loop.tile %q{0} by 1 align 4 = fuser.exp(%r{0} by 1 align 4) : (!s) -> !s of (tensor<?xf32>) -> tensor<?xf32>
      fuser_loop.tile %z{%b} by 1 align 4 = %q{0} by 1 align 4 if (%t == 0) : (!s) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @overwritten(
// CHECK: fuser_loop.for %{{.*}} to (symbol(%{{.*}})) on block_x
// CHECK-NEXT: fuser_loop.for %[[T:.*]] to (4) on thread_x
// CHECK-NOT: fuser_loop.tile
// CHECK: fuser_loop.if (%[[T]] == 0) {
// CHECK-NEXT: fuser_loop.tile %[[R:.*]]{0} by 1 align 4 = %{{.*}}{%{{.*}}} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>)
// CHECK-NEXT: fuser_loop.tile %[[Q:.*]]{0} by 1 align 4 = fuser.exp(%[[R]]{0}
// CHECK: fuser_loop.tile %{{.*}}{%{{.*}}} by 1 align 4 = %[[Q]]{0}

// An argument that is only read has no such branch, nor has what other threads need.
fuser_loop.kernel @read(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %w: !x from #fuser_gpu.pointer<1> strides [1] align 4, %z: !x from #fuser_gpu.pointer<2> strides [1] align 4, %y: !x from #fuser_gpu.pointer<3> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [4, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %t to (4) on thread_x {
      %r = fuser_loop.buffer : !s
      fuser_loop.tile %r{0} by 1 align 4 = %x{%b} by 1 align 4 : (!x) -> !s of tensor<?xf32>
      %q = fuser_loop.buffer : !s
      fuser_loop.tile %q{0} by 1 align 4 = %w{%b} by 1 align 4 : (!x) -> !s of tensor<?xf32>
      fuser_loop.tile %y{4 * %b + %t} by 1 align 4 = fuser.exp(%q{0} by 1 align 4) : (!s) -> !x of (tensor<?xf32>) -> tensor<?xf32>
      fuser_loop.tile %z{%b} by 1 align 4 = fuser.add(%r{0} by 1 align 4, %q{0} by 1 align 4) if (%t == 0) : (!s, !s) -> !x of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @read(
// CHECK: fuser_loop.for %[[T:.*]] to (4) on thread_x
// CHECK-NOT: fuser_loop.if
// CHECK-COUNT-3: fuser_loop.tile
// CHECK: fuser_loop.if (%[[T]] == 0) {
// CHECK-NEXT: fuser_loop.tile
