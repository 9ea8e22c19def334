// A warp of its own copies the tiles of rows. All that the block computes becomes the region of the others, which release a stage
// after their last read.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | FileCheck %s
// One barrier of the block, after the barriers of stages are initialized.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse,fuser_loop.kernel(fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | FileCheck %s --check-prefix=BARRIERS
// Threads copy where the target has no bulk copies.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops{bulk-copies=false}))" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: FileCheck %s --check-prefix=IR < %t.whole
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

!x = !fuser_loop.buffer<?x?xf32, global>
!y = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
!r = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                        %y: !y from #fuser_gpu.pointer<1> strides [64, 1] align 4 noalias,
                        %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 4 == 0) threads [64, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !r
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %k to (symbol(%n) ceildiv 64) {
      %s = fuser_loop.buffer stages 4 by bulk role producer : !s
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %s[%t] = %x[%b, %k * 64 + %t] if (%k * 64 + %t < symbol(%n)) : (!x) -> !s of tensor<?x?xf32>
        fuser_loop.tile %a[] = accumulate fuser.sum(%s[63 - %t]) {dims = array<i64: 1>} if (%k * 64 + 63 - %t < symbol(%n))
          : (!s) -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%b, %t] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] : (!r) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}
// OLD: remark: expected a target with bulk copies (sm_90 or later): the threads of the block copy instead of one of them
// OLD: fuser_loop.kernel @rows(
// OLD: fuser_loop.buffer stages 4 : !fuser_loop.buffer<4x64xf32, shared>
// OLD-NOT: bulk
// OLD-NOT: roles

// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[N:[a-z0-9_]+]]), 1]
// CHECK: threads [64, 1, 1]
// CHECK: fuser_loop.for %[[B:[a-z0-9_]+]] to (symbol(%{{.*}})) on block_x {
// CHECK: %[[F:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: fuser_loop.init_phases %[[F]] arrivals 1 : !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: %[[E:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: fuser_loop.init_phases %[[E]] arrivals 64 : !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = fuser_loop.buffer stages 4 by bulk : !fuser_loop.buffer<4x64xf32, shared>
// CHECK-NEXT: fuser_loop.roles producers 32 {
// CHECK-NEXT: fuser_loop.for %[[P:[a-z0-9_]+]] to (symbol(%[[N]]) ceildiv 64) {
// CHECK-NEXT: fuser_loop.acquire %[[S]] of %[[E]][%[[P]] mod 4] phase (%[[P]] floordiv 4 - 1) if (3 < %[[P]]) : !fuser_loop.buffer<4x64xf32, shared> of !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: fuser_loop.tile %[[S]][%[[P]] mod 4, 0], %[[F]][%[[P]] mod 4] = bulk %[[X]][%[[B]], %[[P]] * 64] count [64, %[[P]] * -64 + symbol(%[[N]])] once [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> (!fuser_loop.buffer<4x64xf32, shared>, !fuser_loop.buffer<4xi64, shared>) of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: } consumers {
// CHECK: initial fuser.sum()
// CHECK: fuser_loop.for %[[K:[a-z0-9_]+]] to (symbol(%[[N]]) ceildiv 64) {
// CHECK-NEXT: fuser_loop.wait_phase %[[S]] of %[[F]][%[[K]] mod 4] phase (%[[K]] floordiv 4) : !fuser_loop.buffer<4x64xf32, shared> of !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: accumulate fuser.sum(%[[S]][%[[K]] mod 4, -%[[T]] + 63])
// CHECK: fuser_loop.release %[[S]] of %[[E]][%[[K]] mod 4] : !fuser_loop.buffer<4x64xf32, shared> of !fuser_loop.buffer<4xi64, shared>
// CHECK-NEXT: }
// CHECK: finalize fuser.sum

// BARRIERS-COUNT-2: fuser_loop.init_phases
// BARRIERS-NOT: fuser_loop.barrier
// BARRIERS: fuser_loop.barrier
// BARRIERS-NEXT: fuser_loop.roles
// BARRIERS-NOT: fuser_loop.barrier

// The block has the producer in addition, whose first thread copies.
// IR: known_block_size = array<i32: 96, 1, 1>
// IR: %[[OWN:.*]] = gpu.thread_id x
// IR: gpu.barrier
// IR: %[[IS_PRODUCER:.*]] = arith.cmpi uge, %[[OWN]], %c64
// IR: scf.if %[[IS_PRODUCER]] {
// IR: %[[LANE:.*]] = arith.subi %[[OWN]], %c64
// IR: %[[BEGINS:.*]] = arith.cmpi eq, %[[LANE]], %c0
// IR: scf.for
// IR: fuser_gpu.mbarrier_wait
// IR: scf.if %[[BEGINS]]
// IR: fuser_gpu.copy_bulk
// IR: } else {
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.mbarrier_arrive
// IR-NOT: gpu.barrier
