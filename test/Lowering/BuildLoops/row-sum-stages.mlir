// The stages of a sum of rows, as docs/lowering.md shows them.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s --check-prefix=LOOPS
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser-build-loops,fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s --check-prefix=SYNCHRONIZED
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser-build-loops,fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses,fuser-place-guards))" | FileCheck %s --check-prefix=GUARDED

#row = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), loop = [i0 @block_x, r2, r3 @thread_x]>
fuser.kernel @row_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#row], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// LOOPS: fuser_loop.for %[[B:.*]] to (symbol(%[[M:.*]])) on block_x {
// LOOPS-NEXT: %[[A:.*]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// LOOPS-NEXT: fuser_loop.tile %[[A]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// LOOPS: fuser_loop.for %[[K:.*]] to (symbol(%[[N:.*]]) ceildiv 64) {
// LOOPS-NEXT: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// LOOPS-NEXT: fuser_loop.tile %[[A]][] = accumulate fuser.sum(%[[X:.*]][%[[B]], %[[K]] * 64 + %[[T]]]) {dims = array<i64: 1>} if (%[[K]] * 64 + %[[T]] < symbol(%[[N]]))
// LOOPS: %[[S:.*]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// LOOPS-NEXT: fuser_loop.tile %[[S]][] = %[[A]][] replicated [block_x]
// LOOPS: fuser_loop.combine %[[S]] by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1
// LOOPS: fuser_loop.tile %[[Y:.*]][%[[B]]] = finalize fuser.sum(%[[S]][]) {dims = array<i64: 1>} count [symbol(%[[N]])] replicated [thread_x]

// SYNCHRONIZED: fuser_loop.tile %[[S:.*]][] = %{{.*}}[] replicated [block_x]
// SYNCHRONIZED: fuser_loop.tile %[[S]][] = shuffle 16 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// SYNCHRONIZED: fuser_loop.tile %[[S]][] = shuffle 8 fuser.sum()
// SYNCHRONIZED: fuser_loop.tile %[[S]][] = shuffle 4 fuser.sum()
// SYNCHRONIZED: fuser_loop.tile %[[S]][] = shuffle 2 fuser.sum()
// SYNCHRONIZED: fuser_loop.tile %[[S]][] = shuffle 1 fuser.sum()
// SYNCHRONIZED: %[[E:.*]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<2xf32, shared>
// SYNCHRONIZED-NEXT: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// SYNCHRONIZED-NEXT: fuser_loop.tile %[[E]][%[[T]] floordiv 32] = %[[S]][] if (%[[T]] mod 32 == 0) replicated [block_x]
// SYNCHRONIZED: fuser_loop.barrier
// SYNCHRONIZED-NEXT: fuser_loop.tile %[[S]][] = %[[E]][%[[T]] mod 2] replicated [block_x]
// SYNCHRONIZED: fuser_loop.tile %[[S]][] = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// SYNCHRONIZED: fuser_loop.tile %{{.*}}[%{{.*}}] = finalize fuser.sum(%[[S]][]) {dims = array<i64: 1>} count [symbol(%{{.*}})] once [thread_x] replicated [thread_x]

// GUARDED: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// GUARDED: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// GUARDED-NEXT: fuser_loop.if (%[[T]] mod 32 == 0) {
// GUARDED-NEXT: fuser_loop.tile %[[E:.*]]{%[[T]] floordiv 32} by 1 align 4 = %[[S:.*]]{0} by 1 align 4
// GUARDED: }
// GUARDED-NEXT: fuser_loop.barrier
// GUARDED: fuser_loop.if () once [thread_x] {
// GUARDED-NEXT: fuser_loop.tile %{{.*}}{%{{.*}}} by 1 align 4 = finalize fuser.sum(%[[S]]{0} by 1 align 4) {dims = array<i64: 1>} count [symbol(%{{.*}})]
