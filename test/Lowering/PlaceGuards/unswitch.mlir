// Two versions of an unswitched loop, one of which has no guards.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-place-guards))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | FileCheck %s --check-prefix=MARK
// MARK-NOT: unswitch {
!x = !fuser_loop.buffer<?xf32, global>
!y = !fuser_loop.buffer<?x?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>
!m = !fuser_loop.buffer<64xf32, shared>
!w = !fuser_loop.buffer<32xf32, register>
!e = !fuser_loop.buffer<8xf32, register>

// The last copy is checked, for the thread of a loop within: a loop around the branch gives its index.
// CHECK-LABEL: fuser_loop.kernel @copies(
// CHECK: fuser_loop.for %[[B:.*]] to (symbol(%[[N:.*]]) ceildiv 128) on block_x {
// CHECK-NEXT: fuser_loop.for %[[T:.*]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.if (%[[B]] * 128 + %[[T]] + 96 < symbol(%[[N]])) {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (4) on unroll {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile
// CHECK-NEXT: :
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: fuser_loop.for %[[U:.*]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.for %[[V:.*]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.if (%[[B]] * 128 + %[[U]] * 32 + %[[V]] < symbol(%[[N]])) {
// CHECK-NEXT: fuser_loop.tile
fuser_loop.kernel @copies(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [32, 1, 1] grid [symbol(%n) ceildiv 128, 1, 1] {
  fuser_loop.for %b to (symbol(%n) ceildiv 128) on block_x {
    fuser_loop.for %u to (4) on unroll unswitch {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.tile %y{128 * %b + 32 * %u + %t} by 1 align 4 = %x{128 * %b + 32 * %u + %t} by 1 align 4 if (128 * %b + 32 * %u + %t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
      }
    }
  }
}

// The last iteration, for a loop that may have none: what is subtracted comes last, so that no product is negative.
// CHECK-LABEL: fuser_loop.kernel @iterations(
// CHECK: fuser_loop.if ((symbol(%[[N:.*]]) ceildiv 4) * 4 - 1 < symbol(%[[N]])) {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (symbol(%[[N]]) ceildiv 4) {
// CHECK-NOT: fuser_loop.if
// CHECK: } else {
// CHECK: fuser_loop.if (%{{.*}} * 4 + %{{.*}} < symbol(%[[N]])) {
fuser_loop.kernel @iterations(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 4) unswitch {
    fuser_loop.for %u to (4) on unroll {
      fuser_loop.tile %y{4 * %i + %u} by 1 align 4 = %x{4 * %i + %u} by 1 align 4 if (4 * %i + %u < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    }
  }
}

// Copies up to a bound: all of them have to exist.
// CHECK-LABEL: fuser_loop.kernel @bounded(
// CHECK: fuser_loop.if (6 < symbol(%[[N:.*]])) {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (symbol(%[[N]])) on unroll bound 7 {
// CHECK-NEXT: fuser_loop.tile
// CHECK: } else {
// CHECK: fuser_loop.if (%{{.*}} < symbol(%[[N]])) {
fuser_loop.kernel @bounded(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %u to (symbol(%n)) on unroll bound 7 unswitch {
    fuser_loop.tile %y{%u} by 1 align 4 = %x{%u} by 1 align 4 : (!x) -> !x of tensor<?xf32>
  }
}

// Nothing is checked: one version.
// CHECK-LABEL: fuser_loop.kernel @proved(
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.for %{{.*}} to (symbol(%{{.*}}) floordiv 4) {
// CHECK-NOT: fuser_loop.if
// CHECK-LABEL: fuser_loop.kernel @registers(
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.for %{{.*}} to (4) on unroll {
// CHECK-NOT: fuser_loop.if
fuser_loop.kernel @proved(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) floordiv 4) unswitch {
    fuser_loop.tile %y{%i} by 1 align 4 = %x{%i} by 1 align 4 if (0 < 4) : (!x) -> !x of tensor<?xf32>
  }
}

// Tiles on registers need no guard.
fuser_loop.kernel @registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !s
  fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 : (!x) -> !s of tensor<?xf32>
  fuser_loop.for %u to (4) on unroll unswitch {
    %q = fuser_loop.buffer : !s
    fuser_loop.tile %q{0} by 1 align 4 = fuser.exp(%r{0} by 1 align 4) if (%u < symbol(%n)) : (!s) -> !s of (tensor<?xf32>) -> tensor<?xf32>
  }
}

// Threads that wait for each other do not part.
// CHECK-LABEL: fuser_loop.kernel @waits(
// CHECK-NOT: else
// CHECK-LABEL: fuser_loop.kernel @shuffles(
// CHECK-NOT: else
// CHECK-LABEL: fuser_loop.kernel @remainders(
fuser_loop.kernel @waits(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %m = fuser_loop.buffer at 0 : !m
  fuser_loop.for %i to (symbol(%n) ceildiv 64) unswitch {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %m{%t} by 1 align 4 = %x{64 * %i + %t} by 1 align 4 if (64 * %i + %t < symbol(%n)) : (!x) -> !m of tensor<?xf32>
      fuser_loop.barrier
      fuser_loop.tile %y{64 * %i + %t} by 1 align 4 = %m{63 - %t} by 1 align 4 if (64 * %i + %t < symbol(%n)) : (!m) -> !x of tensor<?xf32>
      fuser_loop.barrier
    }
  }
}
fuser_loop.kernel @shuffles(%x: !y from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage accessed index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %u to (2) on unroll unswitch {
    fuser_loop.for %t to (32) on thread_x {
      %a = fuser_loop.buffer : !s
      fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [thread_x] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %a{0} by 1 align 4 = accumulate fuser.sum(%x{%u * symbol(%n) + %t} by 1 align 4) {dims = array<i64: 1>} if (%u < symbol(%m), %t < symbol(%n)) : (!y) -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %a{0} by 1 align 4 = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [thread_x] : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %y{%u} by 1 align 4 = finalize fuser.sum(%a{0} by 1 align 4) {dims = array<i64: 1>} count [symbol(%n)] if (%u < symbol(%m)) once [thread_x] replicated [thread_x] : (!s) -> !x of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}

// A remainder is at most the divisor less 1, a quotient that of the last index.
// CHECK: fuser_loop.if ((symbol(%[[K:.*]]) ceildiv 8) * 8 - 1 < symbol(%[[K]])
// CHECK-SAME: symbol(%[[N:.*]]) - 1 < symbol(%[[K]])) {
// CHECK: } else {
// CHECK: fuser_loop.if (symbol(%[[K]]) ceildiv symbol(%[[N]]) - 1 < symbol(%[[M:.*]])) {
fuser_loop.kernel @remainders(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<1, 0>, %k: index from #fuser_gpu.size<2, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%k) ceildiv 8) unswitch {
    fuser_loop.for %u to (8) on unroll {
      fuser_loop.tile %y{%i} by 1 align 4 = %x{%i} by 1 align 4 if (%i * 8 + %u < symbol(%k)) : (!x) -> !x of tensor<?xf32>
    }
    fuser_loop.tile %y{%i} by 1 align 4 = %x{%i} by 1 align 4 if (%i mod symbol(%n) < symbol(%k)) : (!x) -> !x of tensor<?xf32>
  }
  fuser_loop.for %j to (symbol(%k)) unswitch {
    fuser_loop.tile %y{%j} by 1 align 4 = %x{%j} by 1 align 4 if (%j floordiv symbol(%n) < symbol(%m)) : (!x) -> !x of tensor<?xf32>
  }
}

// Data may be any number, and equalities select some indices: both stay guards, also in the first version. What begins below
// 0 is checked at its first index as well.
// CHECK-LABEL: fuser_loop.kernel @kept(
// CHECK: fuser_loop.if (%[[B:.*]] * 4 < symbol(%[[N:.*]]), %[[B]] * 4 - 3 < symbol(%[[N]])) {
// CHECK-NEXT: fuser_loop.for %[[U:.*]] to (4) on unroll {
// CHECK-NEXT: %[[I:.*]] = fuser_loop.index
// CHECK-NEXT: fuser_loop.tile {{.*}} where (%[[I]] < symbol(%[[N]]))
// CHECK: fuser_loop.if (%[[U]] == 0) {
// CHECK: } else {
fuser_loop.kernel @kept(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8 readonly noalias, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %u to (4) on unroll unswitch {
      %k = fuser_loop.index %i{4 * %b + %u} by 1 align 8 : !i
      fuser_loop.tile %y{4 * %b + %u} by 1 align 4 = fuser.index_select(%x{%k} by 1 align 4 where (%k < symbol(%n)), %i{4 * %b + %u} by 1 align 8) {dim = 0 : i64} if (4 * %b + %u - 3 < symbol(%n)) : (!x, !i) -> !x of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
      fuser_loop.tile %y{%b} by 1 align 4 = %x{%b} by 1 align 4 if (%u == 0) : (!x) -> !x of tensor<?xf32>
    }
  }
}

// Inside of the second version, the inner loop has two versions again; inside of the first one it has one.
// CHECK-LABEL: fuser_loop.kernel @nested(
// CHECK: fuser_loop.if (%[[B:.*]] * 8 + 7 < symbol(%[[N:.*]])) {
// CHECK-NOT: fuser_loop.if
// CHECK: } else {
// CHECK-NEXT: fuser_loop.for %[[I:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.if (%[[B]] * 8 + %[[I]] * 4 + 3 < symbol(%[[N]])) {
// CHECK-NOT: fuser_loop.if
// CHECK: } else {
// CHECK-NEXT: fuser_loop.for %[[J:.*]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.if (%[[B]] * 8 + %[[I]] * 4 + %[[J]] < symbol(%[[N]])) {
fuser_loop.kernel @nested(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [symbol(%n) ceildiv 8, 1, 1] {
  fuser_loop.for %b to (symbol(%n) ceildiv 8) on block_x {
    fuser_loop.for %i to (2) on unroll unswitch {
      fuser_loop.for %j to (4) on unroll unswitch {
        fuser_loop.tile %y{8 * %b + 4 * %i + %j} by 1 align 4 = %x{8 * %b + 4 * %i + %j} by 1 align 4 if (8 * %b + 4 * %i + %j < symbol(%n)) : (!x) -> !x of tensor<?xf32>
      }
    }
  }
}

// A row that may not exist: the second version would do nothing.
// CHECK-LABEL: fuser_loop.kernel @row(
// CHECK: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.if (%[[T]] < symbol(%[[M:.*]])) {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (symbol(%{{.*}})) {
// CHECK-NOT: fuser_loop.if
// CHECK-NOT: else
// CHECK-LABEL: fuser_loop.kernel @row_and_column(
fuser_loop.kernel @row(%x: !y from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage accessed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n)) unswitch {
    fuser_loop.for %t to (64) on thread_x {
      %r = fuser_loop.buffer : !s
      fuser_loop.tile %r{0} by 1 align 4 = %x{%t * symbol(%n) + %i} by 1 align 4 if (%t < symbol(%m)) : (!y) -> !s of tensor<?x?xf32>
      fuser_loop.tile %y{%t * symbol(%n) + %i} by 1 align 4 = fuser.exp(%r{0} by 1 align 4) if (%t < symbol(%m)) : (!s) -> !y of (tensor<?x?xf32>) -> tensor<?x?xf32>
    }
  }
}

// A column may exist where the last one does not.
// CHECK: fuser_loop.if (%[[T:.*]] < symbol(%[[M:.*]]), {{.*}} - 1 < symbol(%[[N:.*]])) {
// CHECK: } else {
// CHECK: fuser_loop.if (%{{.*}} < symbol(%[[M]]), %{{.*}} < symbol(%[[N]])) {
fuser_loop.kernel @row_and_column(%x: !y from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage accessed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 4) unswitch {
    fuser_loop.for %u to (4) on unroll {
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y{%t * symbol(%n) + 4 * %i + %u} by 1 align 4 = %x{%t * symbol(%n) + 4 * %i + %u} by 1 align 4 if (%t < symbol(%m), 4 * %i + %u < symbol(%n)) : (!y) -> !y of tensor<?x?xf32>
      }
    }
  }
}

// Where much is computed from what was loaded, only the loads have two versions. What they load is read as it is (`keep`).
// CHECK-LABEL: fuser_loop.kernel @loads(
// CHECK: %[[R:.*]] = fuser_loop.buffer : !fuser_loop.buffer<32xf32, register>
// CHECK-NEXT: fuser_loop.if (%{{.*}} * 32 + 24 < symbol(%[[N:.*]])) {
// CHECK-NOT: fuser.exp
// CHECK: } else {
// CHECK-NOT: fuser.exp
// CHECK: fuser_loop.for %{{.*}} to (4) on unroll {
// CHECK-NOT: fuser.exp
// CHECK: fuser_loop.for %[[U:.*]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.buffer
// CHECK-NEXT: fuser_loop.if (%{{.*}} * 32 + %[[U]] * 8 < symbol(%[[N]])) {
// CHECK-NEXT: fuser_loop.for
// CHECK-NEXT: fuser_loop.tile {{.*}} = fuser.exp(%[[R]]{{{.*}}} by 8 align 16 keep)
// CHECK-NOT: else
fuser_loop.kernel @loads(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 assume (symbol(%n) mod 8 == 0) threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 32) {
    fuser_loop.for %o to (1) on unroll unswitch {
      %r = fuser_loop.buffer : !w
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %r{%u * 8 + %v} by 8 align 16 = %x{%i * 32 + %u * 8 + %v} by 8 align 16 if (%i * 32 + %u * 8 < symbol(%n)) : (!x) -> !w of tensor<?xf32>
        }
      }
      fuser_loop.for %u to (4) on unroll {
        %e = fuser_loop.buffer : !e
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%r{%u * 8 + %v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!w) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %y{%i * 32 + %u * 8 + %v} by 8 align 16 = %e{%v} by 8 align 16 if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !x of tensor<?xf32>
        }
      }
    }
  }
}

// Nothing is checked: no version, and reads as they were.
// CHECK-LABEL: fuser_loop.kernel @exact(
// CHECK-NOT: fuser_loop.if
// CHECK-NOT: keep
// CHECK-LABEL: fuser_loop.kernel @less(
fuser_loop.kernel @exact(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 assume (symbol(%n) mod 32 == 0) threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 32) {
    fuser_loop.for %o to (1) on unroll unswitch {
      %r = fuser_loop.buffer : !w
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %r{%u * 8 + %v} by 8 align 16 = %x{%i * 32 + %u * 8 + %v} by 8 align 16 : (!x) -> !w of tensor<?xf32>
        }
      }
      fuser_loop.for %u to (4) on unroll {
        %e = fuser_loop.buffer : !e
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%r{%u * 8 + %v} by 8 align 16) : (!w) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %y{%i * 32 + %u * 8 + %v} by 8 align 16 = %e{%v} by 8 align 16 : (!e) -> !x of tensor<?xf32>
        }
      }
    }
  }
}

// With less, what is computed has two versions as well.
// CHECK: fuser_loop.if
// CHECK: fuser.exp
// CHECK: } else {
// CHECK: fuser.exp
fuser_loop.kernel @less(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 assume (symbol(%n) mod 8 == 0) threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 32) {
    fuser_loop.for %o to (1) on unroll unswitch {
      %r = fuser_loop.buffer : !w
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %r{%u * 8 + %v} by 8 align 16 = %x{%i * 32 + %u * 8 + %v} by 8 align 16 if (%i * 32 + %u * 8 < symbol(%n)) : (!x) -> !w of tensor<?xf32>
        }
      }
      fuser_loop.for %u to (4) on unroll {
        %e = fuser_loop.buffer : !e
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%r{%u * 8 + %v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!w) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %e{%v} by 8 align 16 = fuser.exp(%e{%v} by 8 align 16) if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !e of (tensor<?xf32>) -> tensor<?xf32>
          fuser_loop.tile %y{%i * 32 + %u * 8 + %v} by 8 align 16 = %e{%v} by 8 align 16 if (%i * 32 + %u * 8 < symbol(%n)) : (!e) -> !x of tensor<?xf32>
        }
      }
    }
  }
}
