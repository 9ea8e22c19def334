// Where a block has barriers, loops in it may still have one branch around their shuffles: of rows that a block keeps in shared memory.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | FileCheck %s

!x = !fuser_loop.buffer<?x32xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!k = !fuser_loop.buffer<4x32xf32, shared>
!r = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [32, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 32 threads [32, 4, 1] grid [symbol(%n) ceildiv 4, 1, 1] {
  fuser_loop.for %b to (symbol(%n) ceildiv 4) on block_x {
    %k = fuser_loop.buffer at 0 : !k
    fuser_loop.for %w to (4) on thread_y {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.tile %k{%w * 32 + %t} by 1 align 4 = %x{(%b * 4 + %w) * 32 + %t} by 1 align 4 if (%b * 4 + %w < symbol(%n)) : (!x) -> !k of tensor<?x32xf32>
      }
    }
    fuser_loop.barrier
    fuser_loop.for %w to (4) on thread_y {
      fuser_loop.for %t to (32) on thread_x {
        %a = fuser_loop.buffer : !r
        fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [thread_x] : () -> !r of (tensor<?x32xf32>) -> tensor<?xf32>
        fuser_loop.tile %a{0} by 1 align 4 = accumulate fuser.sum(%k{%w * 32 + %t} by 1 align 4) {dims = array<i64: 1>} if (%b * 4 + %w < symbol(%n)) : (!k) -> !r of (tensor<?x32xf32>) -> tensor<?xf32>
        fuser_loop.tile %a{0} by 1 align 4 = shuffle 1 fuser.sum() {dims = array<i64: 1>} : () -> !r of (tensor<?x32xf32>) -> tensor<?xf32>
        fuser_loop.tile %y{%b * 4 + %w} by 1 align 4 = finalize fuser.sum(%a{0} by 1 align 4) {dims = array<i64: 1>} count [32] if (%b * 4 + %w < symbol(%n)) once [thread_x] replicated [thread_x] : (!r) -> !y of (tensor<?x32xf32>) -> tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index from
// CHECK: fuser_loop.for %[[B:.*]] to {{.*}} on block_x
// CHECK: fuser_loop.if (%[[B]] * 4 + %{{.*}} < symbol(%[[N]])) {
// CHECK: fuser_loop.barrier
// CHECK-NEXT: fuser_loop.for %[[W:.*]] to (4) on thread_y {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: %[[A:.*]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.if (%[[B]] * 4 + %[[W]] < symbol(%[[N]])) {
// CHECK-NEXT: fuser_loop.tile %[[A]]{0} by 1 align 4 = initial
// CHECK-NOT: fuser_loop.if (%
// CHECK: shuffle 1
// CHECK: fuser_loop.if () once [thread_x] {
// CHECK-NEXT: fuser_loop.tile %{{.*}} finalize
