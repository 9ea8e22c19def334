// What is stored by bulk copies becomes boxes; the pass that inserts barriers adds the fence and the wait.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops,canonicalize,cse,fuser-place-buffers,canonicalize,cse,fuser-insert-barriers,canonicalize,cse))" | FileCheck %s --check-prefix=BARRIERS
// Threads store where the target has no bulk copies.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops{bulk-copies=false}))" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: FileCheck %s --check-prefix=IR < %t.whole
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

// CHECK-LABEL: fuser_loop.kernel @store(
// CHECK: fuser_loop.for %[[B:[a-z0-9]+]] to (symbol(%{{.*}}) ceildiv 32) on block_x {
// CHECK: %[[S:.*]] = fuser_loop.buffer : !fuser_loop.buffer<32x64xbf16, shared>
// CHECK: fuser_loop.tile %[[S]][
// CHECK: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %{{.*}}[%[[B]] * 32, 0] = store %[[S]][0, 0] at [%[[B]] * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
// CHECK-NOT: fuser_loop.for

// BARRIERS: fuser_loop.buffer at 0
// BARRIERS: fuser_loop.fence_async
// BARRIERS-NEXT: fuser_loop.barrier
// BARRIERS-NEXT: fuser_loop.tile {{.*}} = store
// BARRIERS: fuser_loop.wait_stores
// BARRIERS-NOT: fuser_loop.fence_async

// OLD: remark: expected a target with bulk copies (sm_90 or later): the threads of the block store instead of one of them
// OLD: fuser_loop.kernel @store(
// OLD-NOT: = store

// IR: %[[MAP:[a-z0-9]+]]: !fuser_gpu.tensor_map<32x64xbf16> {fuser_gpu.bind = #fuser_gpu.tensor_map<1, dims = [0, 1]>}
// IR: fuser_gpu.fence_async
// IR-NEXT: gpu.barrier
// IR: scf.if
// IR-NEXT: fuser_gpu.store_tensor %{{.*}}[%{{.*}}] to %[[MAP]][%{{.*}}, %{{.*}}] :
// IR: fuser_gpu.store_commit
// IR-NEXT: fuser_gpu.store_wait 0
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @store(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%r, %c] within [symbol(%m), symbol(%n)] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}
