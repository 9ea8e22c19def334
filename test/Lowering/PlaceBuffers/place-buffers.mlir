// Buffers that are not in use at the same time share memory.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-buffers))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-place-buffers),canonicalize,cse)" | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<256xf32, shared>
!e = !fuser_loop.buffer<8xf32, shared>

// The third buffer takes the place of the first, which is read no more. Slots of 512 bytes or less share no place.
fuser_loop.kernel @reused(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4)
    stage reduced index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !s
  %b = fuser_loop.buffer : !s
  %c = fuser_loop.buffer : !s
  %d = fuser_loop.buffer : !e
  %e = fuser_loop.buffer : !e
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %a[%t] = %x[%t] : (!x) -> !s of tensor<?xf32>
    fuser_loop.tile %b[%t] = %a[63 - %t] : (!s) -> !s of tensor<?xf32>
    fuser_loop.tile %d[%t floordiv 8] = %b[%t] : (!s) -> !e of tensor<?xf32>
    fuser_loop.tile %c[%t] = %d[%t mod 8] : (!e) -> !s of tensor<?xf32>
    fuser_loop.tile %e[%t floordiv 8] = %b[63 - %t] : (!s) -> !e of tensor<?xf32>
    fuser_loop.tile %x[%t] = fuser.add(%c[63 - %t], %e[%t mod 8]) : (!s, !e) -> !x of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @reused(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4)
// CHECK-NEXT: stage placed index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<256xf32, shared>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer at 1024 : !fuser_loop.buffer<256xf32, shared>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<256xf32, shared>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = fuser_loop.buffer at 2048 : !fuser_loop.buffer<8xf32, shared>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = fuser_loop.buffer at 2080 : !fuser_loop.buffer<8xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG1]]] = %[[ARG0]][%[[ARG1]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<256xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG1]]] = %[[V0]][-%[[ARG1]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<256xf32, shared>) -> !fuser_loop.buffer<256xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V3]][%[[ARG1]] floordiv 8] = %[[V1]][%[[ARG1]]]
// CHECK-NEXT: : (!fuser_loop.buffer<256xf32, shared>) -> !fuser_loop.buffer<8xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V2]][%[[ARG1]]] = %[[V3]][%[[ARG1]] mod 8]
// CHECK-NEXT: : (!fuser_loop.buffer<8xf32, shared>) -> !fuser_loop.buffer<256xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V4]][%[[ARG1]] floordiv 8] = %[[V1]][-%[[ARG1]] + 63]
// CHECK-NEXT: : (!fuser_loop.buffer<256xf32, shared>) -> !fuser_loop.buffer<8xf32, shared> of tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG1]]] = fuser.add(%[[V2]][-%[[ARG1]] + 63], %[[V4]][%[[ARG1]] mod 8])
// CHECK-NEXT: : (!fuser_loop.buffer<256xf32, shared>, !fuser_loop.buffer<8xf32, shared>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }


// A buffer that is written before a loop and read in it is in use through all iterations. Booleans have a byte each.
fuser_loop.kernel @loops(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !s
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %a[%t] = %x[%t] : (!x) -> !s of tensor<?xf32>
  }
  fuser_loop.for %k to (symbol(%n)) {
    %b = fuser_loop.buffer : !fuser_loop.buffer<1024xi1, shared>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %b[%t] = fuser.isnan(%a[%t]) : (!s) -> !fuser_loop.buffer<1024xi1, shared> of (tensor<?xf32>) -> tensor<?xi1>
      fuser_loop.tile %x[%t] = fuser.where(%b[63 - %t], %x[%t], %x[0]) : (!fuser_loop.buffer<1024xi1, shared>, !x, !x) -> !x of (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @loops(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %[[ARG1:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage placed index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<256xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG2]]] = %[[ARG0]][%[[ARG2]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<256xf32, shared> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (symbol(%[[ARG1]])) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer at 1024 : !fuser_loop.buffer<1024xi1, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG3]]] = fuser.isnan(%[[V0]][%[[ARG3]]])
// CHECK-NEXT: : (!fuser_loop.buffer<256xf32, shared>) -> !fuser_loop.buffer<1024xi1, shared> of (tensor<?xf32>) -> tensor<?xi1>
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG3]]] = fuser.where(%[[V1]][-%[[ARG3]] + 63], %[[ARG0]][%[[ARG3]]], %[[ARG0]][0])
// CHECK-NEXT: : (!fuser_loop.buffer<1024xi1, shared>, !fuser_loop.buffer<?xf32, global>, !fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
