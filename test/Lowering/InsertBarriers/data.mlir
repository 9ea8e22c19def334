// A read of data that the kernel has written: the barrier is before the index, not before the tile that it serves.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-insert-barriers))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-insert-barriers),canonicalize,cse)" | FileCheck %s

!i = !fuser_loop.buffer<?xi64, global>
!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @block(%i: !i from #fuser_gpu.pointer<0> strides [1] align 8 readonly noalias, %x: !y from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [32, 1, 1] grid [symbol(%n) ceildiv 32, 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !i
  fuser_loop.for %b to (symbol(%n) ceildiv 32) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %w[%b * 32 + %t] = %i[%b * 32 + %t] : (!i) -> !i of tensor<?xi64>
      %k = fuser_loop.index %w[%b * 32 - %t + 31] follows [block_x] : !i
      fuser_loop.tile %y[%b * 32 + %t] = fuser.index_select(%x[%k] where (%k < symbol(%n)), %w[%b * 32 - %t + 31] follows [block_x]) {dim = 0 : i64} : (!y, !i) -> !y of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @block(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xi64, global> from #fuser_gpu.pointer<0> strides [1] align 8 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 64 threads [32, 1, 1] grid [symbol(%[[ARG3]]) ceildiv 32, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG3]])] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG3]]) ceildiv 32) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] = %[[ARG0]][%[[ARG4]] * 32 + %[[ARG5]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?xi64, global> of tensor<?xi64>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.index %[[V0]][%[[ARG4]] * 32 - %[[ARG5]] + 31] follows [block_x] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG4]] * 32 + %[[ARG5]]] = fuser.index_select(%[[ARG1]][%[[V1]]] where (%[[V1]] < symbol(%[[ARG3]])), %[[V0]][%[[ARG4]] * 32 - %[[ARG5]] + 31] follows [block_x]) {dim = 0 : i64}
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>, !fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// What is read at data may be of any block; the data itself is the thread's own.
fuser_loop.kernel @grid(%i: !i from #fuser_gpu.pointer<0> strides [1] align 8 readonly noalias, %x: !y from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [32, 1, 1] grid [symbol(%n) ceildiv 32, 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !i
  %e = fuser_loop.buffer [symbol(%n)] : !y
  fuser_loop.for %b to (symbol(%n) ceildiv 32) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %w[%b * 32 + %t] = %i[%b * 32 + %t] : (!i) -> !i of tensor<?xi64>
      fuser_loop.tile %e[%b * 32 + %t] = fuser.exp(%x[%b * 32 + %t]) : (!y) -> !y of (tensor<?xf32>) -> tensor<?xf32>
    }
    fuser_loop.for %t to (32) on thread_x {
      %k = fuser_loop.index %w[%b * 32 + %t] follows [block_x, thread_x] : !i
      fuser_loop.tile %y[%b * 32 + %t] = fuser.index_select(%e[%k] where (%k < symbol(%n)), %w[%b * 32 + %t] follows [block_x, thread_x]) {dim = 0 : i64} : (!y, !i) -> !y of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @grid(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xi64, global> from #fuser_gpu.pointer<0> strides [1] align 8 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 64 threads [32, 1, 1] grid [symbol(%[[ARG3]]) ceildiv 32, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG3]])] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG3]])] : !fuser_loop.buffer<?xf32, global>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG3]]) ceildiv 32) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] = %[[ARG0]][%[[ARG4]] * 32 + %[[ARG5]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?xi64, global> of tensor<?xi64>
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG4]] * 32 + %[[ARG5]]] = fuser.exp(%[[ARG1]][%[[ARG4]] * 32 + %[[ARG5]]])
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier grid %[[V2]]
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = fuser_loop.index %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] follows [block_x, thread_x] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG4]] * 32 + %[[ARG5]]] = fuser.index_select(%[[V1]][%[[V3]]] where (%[[V3]] < symbol(%[[ARG3]])), %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] follows [block_x, thread_x]) {dim = 0 : i64}
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>, !fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// The data is the thread's own, what is read at it is another block's: both wait, as one branch has them.
fuser_loop.kernel @one_branch(%i: !i from #fuser_gpu.pointer<0> strides [1] align 8 readonly noalias, %x: !y from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [32, 1, 1] grid [symbol(%n) ceildiv 32, 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !i
  %e = fuser_loop.buffer [symbol(%n)] : !y
  fuser_loop.for %b to (symbol(%n) ceildiv 32) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %w[%b * 32 + %t] = %i[%b * 32 + %t] if (%b * 32 + %t < symbol(%n)) : (!i) -> !i of tensor<?xi64>
      fuser_loop.tile %e[%b * 32 + %t] = fuser.exp(%x[%b * 32 + %t]) if (%b * 32 + %t < symbol(%n)) : (!y) -> !y of (tensor<?xf32>) -> tensor<?xf32>
      %k = fuser_loop.index %w[%b * 32 + %t] follows [block_x, thread_x] : !i
      fuser_loop.tile %y[%b * 32 + %t] = fuser.index_select(%e[%k] where (%k < symbol(%n)), %w[%b * 32 + %t] follows [block_x, thread_x]) {dim = 0 : i64} if (%b * 32 + %t < symbol(%n)) : (!y, !i) -> !y of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @one_branch(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xi64, global> from #fuser_gpu.pointer<0> strides [1] align 8 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 64 threads [32, 1, 1] grid [symbol(%[[ARG3]]) ceildiv 32, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG3]])] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG3]])] : !fuser_loop.buffer<?xf32, global>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG3]]) ceildiv 32) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] = %[[ARG0]][%[[ARG4]] * 32 + %[[ARG5]]] if (%[[ARG4]] * 32 + %[[ARG5]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?xi64, global> of tensor<?xi64>
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG4]] * 32 + %[[ARG5]]] = fuser.exp(%[[ARG1]][%[[ARG4]] * 32 + %[[ARG5]]]) if (%[[ARG4]] * 32 + %[[ARG5]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier grid %[[V2]]
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = fuser_loop.index %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] follows [block_x, thread_x] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG4]] * 32 + %[[ARG5]]] = fuser.index_select(%[[V1]][%[[V3]]] where (%[[V3]] < symbol(%[[ARG3]])), %[[V0]][%[[ARG4]] * 32 + %[[ARG5]]] follows [block_x, thread_x]) {dim = 0 : i64} if (%[[ARG4]] * 32 + %[[ARG5]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>, !fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
