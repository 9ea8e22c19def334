// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s -mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// A warp that copies, and two that read what it has copied.

// CHECK: fuser_loop.roles producers 32 {
// CHECK: fuser_loop.acquire %{{.*}} of %{{.*}}[%[[K:[a-z0-9]+]] mod 3] phase (%[[K]] floordiv 3 - 1) if (2 < %[[K]]) : !fuser_loop.buffer<3x64xf32, shared> of !fuser_loop.buffer<3xi64, shared>
// CHECK: } consumers {
// CHECK: fuser_loop.release %{{.*}} of %{{.*}}[%{{.*}} mod 3] : !fuser_loop.buffer<3x64xf32, shared> of !fuser_loop.buffer<3xi64, shared>
// CHECK-NEXT: fuser_loop.barrier role
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// Four warps of producers, whose threads have less registers than those of the eight others.
// CHECK-LABEL: fuser_loop.kernel @registers(
// CHECK: fuser_loop.roles producers 128 registers 40 {
// CHECK: } consumers registers 232 {
fuser_loop.kernel @registers(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                             %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 4, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 256 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 128 registers 40 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers registers 232 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// A buffer that asks for them.
// CHECK-LABEL: fuser_loop.kernel @asks(
// CHECK: fuser_loop.buffer stages 4 by bulk role producer registers [40, 232] : !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @asks(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                        %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %s = fuser_loop.buffer stages 4 by bulk role producer registers [40, 232] : !fuser_loop.buffer<64xf32, shared>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%t] = %x[%k, %t] : (!x) -> !fuser_loop.buffer<64xf32, shared> of tensor<?x64xf32>
      fuser_loop.tile %y[%k, %t] = %s[63 - %t] : (!fuser_loop.buffer<64xf32, shared>) -> !x of tensor<?x64xf32>
    }
  }
}
