// Matrix instructions in place of loops on mma.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-vectorize-accesses),canonicalize,cse)" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | fuser-opt --split-input-file | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-lower-kernels | FileCheck %s --check-prefix=KERNEL

!x = !fuser_loop.buffer<?x?xbf16, global>
!y = !fuser_loop.buffer<?x8xf32, global>
!s = !fuser_loop.buffer<16x16xbf16, shared>
!w = !fuser_loop.buffer<16x8xbf16, shared>
!a = !fuser_loop.buffer<16x8xf32, register>
!e = !fuser_loop.buffer<2xf32, register>

// The rows of the left operand lie along the sum, those of the right one along the columns. Rows that do not exist are zeros.
fuser_loop.kernel @product(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                           %z: !x from #fuser_gpu.pointer<1> strides [8, 1] align 16 readonly noalias,
                           %y: !y from #fuser_gpu.pointer<2> strides [8, 1] align 16 noalias,
                           %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 16, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 16) on block_x {
    %c = fuser_loop.buffer : !a
    %a = fuser_loop.buffer : !a
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [block_x] : () -> !a of (tensor<?x?xbf16>, tensor<?x8xbf16>) -> tensor<?x8xf32>
      }
    }
    fuser_loop.for %k to (symbol(%n) ceildiv 16) {
      %s = fuser_loop.buffer at 0 : !s
      %w = fuser_loop.buffer at 512 : !w
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (8) on vectorize {
          fuser_loop.tile %s[%t floordiv 2, %t mod 2 * 8 + %v] = %x[%b * 16 + %t floordiv 2, %k * 16 + %t mod 2 * 8 + %v]
            where (%b * 16 + %t floordiv 2 < symbol(%m), %k * 16 + %t mod 2 * 8 + %v < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
        }
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %w[%t floordiv 2, %t mod 2 * 4 + %v] = %z[%k * 16 + %t floordiv 2, %t mod 2 * 4 + %v]
            where (%k * 16 + %t floordiv 2 < symbol(%n)) : (!x) -> !w of tensor<?x?xbf16>
        }
      }
      fuser_loop.barrier
      fuser_loop.for %i to (16) on mma {
        fuser_loop.for %j to (8) on mma {
          fuser_loop.for %l to (16) on mma {
            fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j])
              if (%b * 16 + %i < symbol(%m), %k * 16 + %l < symbol(%n))
              : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x8xbf16>) -> tensor<?x8xf32>
          }
        }
      }
      fuser_loop.barrier
    }
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%i, %j] = finalize fuser.matmul(%a[%i, %j]) count [symbol(%n)] if (%b * 16 + %i < symbol(%m))
          : (!a) -> !a of (tensor<?x?xbf16>, tensor<?x8xbf16>) -> tensor<?x8xf32>
      }
    }
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %h to (2) on unroll {
        %e = fuser_loop.buffer : !e
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %e[%v] = fuser.exp(%c[%h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) : (!a) -> !e of (tensor<?x8xf32>) -> tensor<?x8xf32>
        }
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %y[%b * 16 + %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v] = %e[%v] if (%b * 16 + %h * 8 + %t floordiv 4 < symbol(%m)) : (!e) -> !y of tensor<?x8xf32>
        }
      }
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @product(
// CHECK: stage accessed
// A lane has 2 x 2 results.
// CHECK: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<2x2xf32, register>
// CHECK-NEXT: %[[A:.*]] = fuser_loop.buffer : !fuser_loop.buffer<2x2xf32, register>
// CHECK-NEXT: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[I:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[J:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[A]]{%[[I]] * 2 + %[[J]]} by 1 align 4 = initial fuser.matmul() replicated [block_x]
// CHECK: %[[S:.*]] = fuser_loop.buffer at 0 :
// CHECK-NEXT: %[[W:.*]] = fuser_loop.buffer at 512 :
// The product has no guard: what does not exist is 0.
// CHECK: fuser_loop.barrier
// CHECK-NEXT: fuser_loop.for %[[T:.*]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[A]]{0} by 4 align 4 = accumulate fuser.matmul(%[[S]]{(%[[T]] mod 16) * 16 + (%[[T]] floordiv 16) * 8} by 8 align 16, %[[W]]{(%[[T]] mod 16) * 8} by 8 align 16) using #fuser_gpu.mma<16, 8, 16, bf16, transposed = [false, true]>
// CHECK-NEXT: : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<2x2xf32, register>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK: fuser_loop.tile %[[C]]{%{{.*}} * 2 + %{{.*}}} by 1 align 4 = finalize fuser.matmul(%[[A]]{%{{.*}} * 2 + %{{.*}}} by 1 align 4)
// CHECK: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[H:.*]] to (2) on unroll {
// CHECK: fuser_loop.tile %{{.*}}{%[[V:.*]]} by 2 align 8 = fuser.exp(%[[C]]{%[[H]] * 2 + %[[V]]} by 2 align 8)
// CHECK-NOT: mma {

// KERNEL: gpu.barrier
// KERNEL: %[[LHS:.*]] = fuser_gpu.ldmatrix %{{.*}} -> vector<8xbf16>
// KERNEL: %[[RHS:.*]] = fuser_gpu.ldmatrix transposed %{{.*}} -> vector<4xbf16>
// KERNEL: fuser_gpu.mma %[[LHS]], %[[RHS]], %{{.*}} : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
