// Threads are the maxima of all loops, blocks the extent that is provably the largest. A store outside of all loops of a type is done once.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch))" | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-launch))" | FileCheck %s
!x = !fuser_loop.buffer<?xf32, global>
!y = !fuser_loop.buffer<?x?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @maxima(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias,
                          %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  fuser_loop.for %b to (symbol(%n) ceildiv 64) on block_x {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[64 * %b + %t] = %x[64 * %b + %t] if (64 * %b + %t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    }
  }
  fuser_loop.for %b to ((symbol(%n) + 64) ceildiv 64) on block_x {
    fuser_loop.for %t to (symbol(%n)) on thread_x bound 100 {
      fuser_loop.for %u to (4) on thread_y {
        fuser_loop.tile %y[64 * %b + %t] = %x[%u] : (!x) -> !x of tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @maxima(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage launched index_bits 64 threads [100, 4, 1] grid [(symbol(%[[ARG2]]) + 64) ceildiv 64, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (symbol(%[[ARG2]]) ceildiv 64) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]] * 64 + %[[ARG4]]] = %[[ARG0]][%[[ARG3]] * 64 + %[[ARG4]]] if (%[[ARG3]] * 64 + %[[ARG4]] < symbol(%[[ARG2]])) once [thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to ((symbol(%[[ARG2]]) + 64) ceildiv 64) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (symbol(%[[ARG2]])) on thread_x bound 100 {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on thread_y {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]] * 64 + %[[ARG4]]] = %[[ARG0]][%[[ARG5]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// The sizes are what the caller has; a store to registers needs no `once`.
fuser_loop.kernel @once(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias,
                        %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 assume (0 < symbol(%n)) {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %z to (1) on thread_z {
        fuser_loop.tile %y[%b] = %x[%b] replicated [thread_x] : (!x) -> !x of tensor<?xf32>
      }
    }
  }
  %r = fuser_loop.buffer : !s
  fuser_loop.tile %r[] = %x[0] : (!x) -> !s of tensor<?xf32>
  fuser_loop.tile %y[0] = %r[] : (!s) -> !x of tensor<?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @once(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage launched index_bits 64 assume (0 < symbol(%[[ARG2]])) threads [32, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (1) on thread_z {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]]] = %[[ARG0]][%[[ARG3]]] once [thread_x] replicated [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = %[[ARG0]][0]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<f32, register> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][0] = %[[V0]][] once [thread_x, block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }

// At least one block where a store is outside of the loop over an extent that may be 0, or at one of its indices.
fuser_loop.kernel @never_empty(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias,
                               %n: index from #fuser_gpu.size<0, 0>, %m: index from #fuser_gpu.size<1, 0>)
    stage loops index_bits 64 {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %c to (symbol(%m)) on block_y {
      fuser_loop.tile %y[%b] = %x[%b] if (%c == 0) : (!x) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @never_empty(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>)
// CHECK-NEXT: stage launched index_bits 64 threads [1, 1, 1] grid [symbol(%[[ARG2]]), symbol(%[[ARG3]]) + 1 floordiv (symbol(%[[ARG3]]) + 1), 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG3]])) on block_y {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]]] = %[[ARG0]][%[[ARG4]]] if (%[[ARG5]] == 0)
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A kernel in a later stage stays as it is.
fuser_loop.kernel @launched(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage launched index_bits 64 threads [7, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (8) on thread_x {
    fuser_loop.tile %y[%t] = %x[%t] : (!x) -> !x of tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @launched(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
// CHECK-NEXT: stage launched index_bits 64 threads [7, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (8) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG2]]] = %[[ARG0]][%[[ARG2]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
