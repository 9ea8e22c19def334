// Barriers of the block and of the grid between accesses to global memory.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-insert-barriers))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-insert-barriers),canonicalize,cse)" | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>

// The element that another block has written, then one of another thread, then the thread's own.
fuser_loop.kernel @levels(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 32 threads [64, 1, 1] grid [symbol(%n) ceildiv 64, 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !x
  %v = fuser_loop.buffer [symbol(%n)] : !x
  fuser_loop.for %b to (symbol(%n) ceildiv 64) on block_x {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %w[%b * 64 + %t] = %x[%b * 64 + %t] if (%b * 64 + %t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
      fuser_loop.tile %v[%b * 64 + %t] = %w[%b * 64 + %t] follows [block_x, thread_x] if (%b * 64 + %t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    }
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%b * 64 + %t] = %v[%b * 64 - %t + 63] follows [block_x] where (%b * 64 - %t + 63 < symbol(%n)) if (%b * 64 + %t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    }
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%b * 64 + %t] = %w[symbol(%n) - %b * 64 - %t - 1] if (%b * 64 + %t < symbol(%n)) : (!x) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @levels(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [symbol(%[[ARG2]]) ceildiv 64, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG2]])] : !fuser_loop.buffer<?xf32, global>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG2]])] : !fuser_loop.buffer<?xf32, global>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (symbol(%[[ARG2]]) ceildiv 64) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]] * 64 + %[[ARG4]]] = %[[ARG0]][%[[ARG3]] * 64 + %[[ARG4]]] if (%[[ARG3]] * 64 + %[[ARG4]] < symbol(%[[ARG2]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG3]] * 64 + %[[ARG4]]] = %[[V0]][%[[ARG3]] * 64 + %[[ARG4]]] follows [block_x, thread_x] if (%[[ARG3]] * 64 + %[[ARG4]] < symbol(%[[ARG2]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]] * 64 + %[[ARG4]]] = %[[V1]][%[[ARG3]] * 64 - %[[ARG4]] + 63] follows [block_x] where (%[[ARG3]] * 64 - %[[ARG4]] + 63 < symbol(%[[ARG2]])) if (%[[ARG3]] * 64 + %[[ARG4]] < symbol(%[[ARG2]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier grid %[[V2]]
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]] * 64 + %[[ARG4]]] = %[[V0]][%[[ARG3]] * -64 + symbol(%[[ARG2]]) - %[[ARG4]] - 1] if (%[[ARG3]] * 64 + %[[ARG4]] < symbol(%[[ARG2]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// The copies of a loop that is written out: the first needs a barrier of the grid, those after it one of the block.
fuser_loop.kernel @copies(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 32 threads [64, 1, 1] grid [2, 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !x
  %a = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %w[%t] = %x[%t] once [block_x] : (!x) -> !x of tensor<?xf32>
  }
  fuser_loop.for %u to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %a[%t] = %w[63 - %t] : (!x) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
      fuser_loop.tile %y[%t] = %a[63 - %t] once [block_x] : (!fuser_loop.buffer<64xf32, shared>) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @copies(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [2, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG2]])] : !fuser_loop.buffer<?xf32, global>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]]] = %[[ARG0]][%[[ARG3]]] once [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier grid %[[V1]]
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.barrier if (0 < %[[ARG3]])
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V2]][%[[ARG4]]] = %[[V0]][-%[[ARG4]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]]] = %[[V2]][-%[[ARG4]] + 63] once [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A last_block is a barrier of the block.
fuser_loop.kernel @arrival(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 32 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !x
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %f = fuser_loop.buffer : !fuser_loop.buffer<i1, register>
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.tile %w[%b] = %x[%b] once [thread_x] : (!x) -> !x of tensor<?xf32>
    fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !fuser_loop.buffer<i1, register>, !fuser_loop.buffer<1xi32, global>
    fuser_loop.tile %y[%b] = %w[%b] follows [block_x] once [thread_x] : (!x) -> !x of tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @arrival(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG2]])] : !fuser_loop.buffer<?xf32, global>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<i1, register>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]]] = %[[ARG0]][%[[ARG3]]] once [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.last_block %[[V2]] = %[[V1]][0] of (symbol(%[[ARG2]])) : !fuser_loop.buffer<i1, register>, !fuser_loop.buffer<1xi32, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]]] = %[[V0]][%[[ARG3]]] follows [block_x] once [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
