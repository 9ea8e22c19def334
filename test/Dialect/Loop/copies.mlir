// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>

// CHECK-LABEL: fuser_loop.kernel @copies(
fuser_loop.kernel @copies(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                          %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // CHECK: %[[S:.*]] = fuser_loop.buffer stages 3 at 0 : !fuser_loop.buffer<3x64xf32, shared>
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      // CHECK: fuser_loop.tile %[[S]][%{{.*}} mod 3, %{{.*}}] = copy %{{.*}}[%{{.*}}, %{{.*}}] if (%{{.*}} < symbol(%{{.*}}))
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    // CHECK: fuser_loop.commit_copies
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    // CHECK: fuser_loop.wait_copies %[[S]] pending 1 : !fuser_loop.buffer<3x64xf32, shared>
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.for %t to (64) on thread_x {
      // CHECK: fuser_loop.tile %[[S]][(%{{.*}} + 2) mod 3, %{{.*}}] = copy
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    // CHECK: fuser_loop.commit_copies
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      // CHECK: %[[S]][%{{.*}} mod 3, %{{.*}}] follows [thread_x]
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, %t] follows [thread_x] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}
