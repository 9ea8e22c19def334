// Slots of many threads: a few threads make one of four, until few are left for every thread to combine.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s --check-prefix=BARRIERS
!s = !fuser_loop.buffer<f32, register>

// Three columns of 100 rows each: 100 slots, 25 and 7. The last of four that the 25 rows read is slot 99, that of the 7 rows is slot 24.
// CHECK-LABEL: fuser_loop.kernel @columns(
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<300xf32, shared>
// CHECK: fuser_loop.tile %[[E]][%[[T:[a-z0-9_]+]] + %[[R:[a-z0-9_]+]] * 3] = %{{.*}}[]
// CHECK: fuser_loop.for %[[I:[a-z0-9_]+]] to (4) {
// CHECK-NEXT: fuser_loop.tile %[[P:[a-z0-9_]+]][] = merge fuser.sum(%[[E]][%[[T]] + (%[[R]] + %[[I]] * 25) * 3]) {dims = array<i64: 0>} if (%[[R]] < 25)
// CHECK: fuser_loop.tile %[[E]][%[[T]] + %[[R]] * 3] = %[[P]][] if (%[[R]] < 25)
// CHECK: fuser_loop.for %[[J:[a-z0-9_]+]] to (4) {
// CHECK-NEXT: merge fuser.sum(%[[E]][%[[T]] + (%[[R]] + %[[J]] * 7) * 3]) {dims = array<i64: 0>} if (%[[R]] < 7, %[[R]] + %[[J]] * 7 < 25)
// CHECK: fuser_loop.tile %[[E]][%[[T]] + %[[R]] * 3] = %{{.*}}[] if (%[[R]] < 7)
// CHECK: fuser_loop.for %[[K:[a-z0-9_]+]] to (7) {
// CHECK-NEXT: merge fuser.sum(%[[E]][%[[T]] + %[[K]] * 3])

// What a few threads have read is overwritten by others only after a barrier.
// BARRIERS-LABEL: fuser_loop.kernel @columns(
// BARRIERS: fuser_loop.barrier
// BARRIERS: to (4) {
// BARRIERS: fuser_loop.barrier
// BARRIERS: to (4) {
// BARRIERS: fuser_loop.barrier
// BARRIERS: to (7) {
fuser_loop.kernel @columns(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [3, 100, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (3) on thread_x {
    %a = fuser_loop.buffer : !s
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !s of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_y] lanes 1 : !s of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%t] = finalize fuser.sum(%a[]) {dims = array<i64: 0>} count [3] once [thread_y] : (!s) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
  }
}
