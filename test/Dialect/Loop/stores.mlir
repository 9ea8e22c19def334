// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s -mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// A block stores a box of results from shared memory.

// CHECK: fuser_loop.fence_async
// CHECK-NEXT: fuser_loop.barrier
// CHECK-NEXT: fuser_loop.tile %{{.*}}[%[[B:[a-z0-9]+]] * 32, 0] = store %{{.*}}[0, 0] at [%[[B]] * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
// CHECK: fuser_loop.wait_stores
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}
