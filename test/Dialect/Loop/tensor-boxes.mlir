// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s -mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// Copies of boxes by a tensor map, whose coordinates the tile names.

// CHECK-COUNT-2: = bulk %{{.*}} at [{{.*}}, 0] if {{.*}} once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}
