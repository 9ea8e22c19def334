// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>

// CHECK-LABEL: fuser_loop.kernel @bulk_copies(
fuser_loop.kernel @bulk_copies(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                               %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // CHECK: %[[F:.*]] = fuser_loop.buffer at 768 : !fuser_loop.buffer<3xi64, shared>
  %f = fuser_loop.buffer at 768 : !f
  // CHECK: fuser_loop.init_phases %[[F]] arrivals 2 : !fuser_loop.buffer<3xi64, shared>
  fuser_loop.init_phases %f arrivals 2 : !f
  // CHECK: %[[S:.*]] = fuser_loop.buffer stages 3 by bulk at 0 : !fuser_loop.buffer<3x64xf32, shared>
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %h to (2) on unroll {
      // CHECK: fuser_loop.tile %[[S]][%{{.*}} mod 3, %{{.*}} * 32], %[[F]][%{{.*}} mod 3] = bulk %{{.*}}[%{{.*}}, %{{.*}} * 32] count [32] if (%{{.*}} < symbol(%{{.*}})) once [thread_x]
      // CHECK-NEXT: : (!fuser_loop.buffer<?x64xf32, global>) -> (!fuser_loop.buffer<3x64xf32, shared>, !fuser_loop.buffer<3xi64, shared>) of tensor<?x64xf32>
      fuser_loop.tile %s[%p mod 3, %h * 32], %f[%p mod 3] = bulk %x[%p, %h * 32] count [32] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    // CHECK: fuser_loop.wait_phase %[[S]] of %[[F]][%{{.*}} mod 3] phase (%{{.*}} floordiv 3) : !fuser_loop.buffer<3x64xf32, shared> of !fuser_loop.buffer<3xi64, shared>
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.for %h to (2) on unroll {
      // CHECK: bulk %{{.*}}[%{{.*}} + 2, %{{.*}} * 32] where (%{{.*}} + 5 < symbol(%{{.*}})) count [32, symbol(%{{.*}}) * 4]
      fuser_loop.tile %s[(%k + 2) mod 3, %h * 32], %f[(%k + 2) mod 3] = bulk %x[%k + 2, %h * 32] where (%k + 5 < symbol(%n)) count [32, symbol(%n) * 4] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}
