// Operands of matrix instructions: zeros are copied where there is no element, without a branch, also for iterations that do
// not exist, so that a wait follows the loop. The places of elements are swizzled.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// RUN: fuser-opt %s --fuser-lower-kernels | FileCheck %s --check-prefix=KERNEL

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<16x2x8xbf16, shared>
!w = !fuser_loop.buffer<8x2x8xbf16, shared>
!a = !fuser_loop.buffer<16x8xf32, register>
!y = !fuser_loop.buffer<16x8xf32, global>

fuser_loop.kernel @product(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                           %z: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 readonly noalias,
                           %y: !y from #fuser_gpu.pointer<2> strides [8, 1] align 16 noalias,
                           %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() : () -> !a of (tensor<?x?xbf16>, tensor<8x?xbf16>) -> tensor<?x8xf32>
    }
  }
  fuser_loop.for %k to (symbol(%n) ceildiv 16) {
    %s = fuser_loop.buffer stages 3 : !s
    %w = fuser_loop.buffer stages 3 : !w
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %v to (8) on vectorize {
        %p = fuser_loop.xor (%t mod 2, (%t floordiv 8) mod 2)
        fuser_loop.tile %s[%t floordiv 2, %p, %v] = %x[%t floordiv 2, %k * 16 + %t mod 2 * 8 + %v]
          where (%t floordiv 2 < symbol(%m), %k * 16 + %t mod 2 * 8 + %v < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %w[%t floordiv 4, %t floordiv 2 mod 2, %t mod 2 * 4 + %v] = %z[%t floordiv 4, %k * 16 + %t mod 4 * 4 + %v]
          : (!x) -> !w of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%i, %p, %l mod 8], %w[%j, %l floordiv 8, %l mod 8]) if (%i < symbol(%m), %k * 16 + %l < symbol(%n))
            : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<8x?xbf16>) -> tensor<?x8xf32>
        }
      }
    }
  }
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %v to (2) on vectorize {
        fuser_loop.tile %y[%h * 8 + %t floordiv 4, %t mod 4 * 2 + %v] = finalize fuser.linear(%a[%h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) count [symbol(%n)] if (%h * 8 + %t floordiv 4 < symbol(%m))
          : (!a) -> !y of (tensor<?x?xbf16>, tensor<8x?xbf16>) -> tensor<?x8xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @product(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index from #fuser_gpu.size<0, 1>)
// CHECK: %[[S:.*]] = fuser_loop.buffer stages 3 : !fuser_loop.buffer<3x16x2x8xbf16, shared>
// CHECK: %[[W:.*]] = fuser_loop.buffer stages 3 : !fuser_loop.buffer<3x8x2x8xbf16, shared>
// CHECK: fuser_loop.for %[[K:.*]] to (symbol(%[[N]]) ceildiv 16) {
// CHECK-NEXT: fuser_loop.wait_copies %[[S]], %[[W]] pending 1
// CHECK: %[[P:.*]] = fuser_loop.xor (%[[T:.*]] mod 2, (%[[T]] floordiv 8) mod 2)
// CHECK-NEXT: fuser_loop.tile %[[S]][(%[[K]] + 2) mod 3, %[[T]] floordiv 2, %[[P]], %{{.*}}] = copy %{{.*}} where (%[[K]] + 2 < symbol(%[[N]]) ceildiv 16, %[[T]] floordiv 2 < symbol(%{{.*}}), {{.*}} < symbol(%[[N]])){{$}}
// CHECK: fuser_loop.tile %[[W]][(%[[K]] + 2) mod 3, {{.*}}] = copy %{{.*}} where (%[[K]] + 2 < symbol(%[[N]]) ceildiv 16){{$}}
// CHECK: fuser_loop.commit_copies
// CHECK: accumulate
// CHECK: fuser_loop.wait_copies %[[S]], %[[W]] pending 0
// CHECK: finalize

// KERNEL: scf.for
// KERNEL: fuser_gpu.copy_wait 1
// KERNEL-NEXT: gpu.barrier
// KERNEL-NOT: scf.if
// KERNEL: fuser_gpu.copy_async 8 of {{.*}} existing
// KERNEL: fuser_gpu.copy_async 4 of {{.*}} existing
// KERNEL: fuser_gpu.ldmatrix %{{.*}} -> vector<8xbf16>
// KERNEL: fuser_gpu.ldmatrix %{{.*}} -> vector<4xbf16>
// KERNEL: fuser_gpu.mma
// KERNEL-NOT: scf.if
// KERNEL: }
// KERNEL: fuser_gpu.copy_wait 0
