// Barriers between accesses that meet.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-insert-barriers))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-insert-barriers),canonicalize,cse)" | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>

// A read after a write, outside of the loops of the read, and before the next write.
fuser_loop.kernel @order(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4)
    stage placed index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %a[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
  }
  fuser_loop.for %i to (2) {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %x[%t] = %a[63 - %t] : (!s) -> !x of tensor<?xf32>
    }
  }
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %a[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @order(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4)
// CHECK-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG1]]] = %[[ARG0]][%[[ARG1]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.for %[[ARG1]] to (2) {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG2]]] = %[[V0]][-%[[ARG2]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.for %[[ARG1]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG1]]] = %[[ARG0]][%[[ARG1]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }


// An iteration of a serial loop waits for the one before; copies of a loop that is written out, except for the first.
fuser_loop.kernel @iterations(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n)) {
    %a = fuser_loop.buffer at 0 : !s
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %a[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
      fuser_loop.tile %x[%t] = %a[63 - %t] : (!s) -> !x of tensor<?xf32>
    }
  }
  fuser_loop.for %u to (4) on unroll {
    fuser_loop.for %w to (2) on unroll {
      %b = fuser_loop.buffer at 256 : !s
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %b[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
        fuser_loop.tile %x[%t] = %b[63 - %t] : (!s) -> !x of tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @iterations(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %[[ARG1:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (symbol(%[[ARG1]])) {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]]] = %[[ARG0]][%[[ARG3]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG3]]] = %[[V0]][-%[[ARG3]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.barrier if (0 < %[[ARG2]])
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (2) on unroll {
// CHECK-NEXT: %[[V0]] = fuser_loop.buffer at 256 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: fuser_loop.barrier if (0 < %[[ARG3]])
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG4]]] = %[[ARG0]][%[[ARG4]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG4]]] = %[[V0]][-%[[ARG4]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }


// A loop that may have no iteration separates nothing: the barrier in it does not order what is around it. Buffers that share bytes
// are ordered as one.
fuser_loop.kernel @no_iteration(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer at 0 : !s
  %b = fuser_loop.buffer at 256 : !s
  %c = fuser_loop.buffer at 128 : !s
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %a[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
    fuser_loop.tile %x[%t] = %a[63 - %t] : (!s) -> !x of tensor<?xf32>
  }
  fuser_loop.for %i to (symbol(%n)) {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %b[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
      fuser_loop.tile %x[%t] = %b[63 - %t] : (!s) -> !x of tensor<?xf32>
    }
  }
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %c[%t] = %x[%t] follows [thread_x] : (!x) -> !s of tensor<?xf32>
    fuser_loop.tile %x[%t] = %c[63 - %t] : (!s) -> !x of tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @no_iteration(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %[[ARG1:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer at 256 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer at 128 : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG2]]] = %[[ARG0]][%[[ARG2]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG2]]] = %[[V0]][-%[[ARG2]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (symbol(%[[ARG1]])) {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG3]]] = %[[ARG0]][%[[ARG3]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG3]]] = %[[V1]][-%[[ARG3]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V2]][%[[ARG2]]] = %[[ARG0]][%[[ARG2]]] follows [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG2]]] = %[[V2]][-%[[ARG2]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
