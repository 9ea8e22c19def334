// The instruction of a warp group in place of loops on mma of more than 8 columns.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-vectorize-accesses),canonicalize,cse)" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | fuser-opt --fuser-lower-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: fuser-opt %s --fuser-lower-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: not fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses{warp-groups=false}))" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'fuser_loop.tile' op expected a target with products of warp groups (sm_90a) for loops on mma of 16 x 32 x 16

fuser_loop.kernel @group(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 8, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<128x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<128x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (8) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<128x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
  fuser_loop.for %y4 to (8) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %h to (2) on unroll {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %y[(%y4 * 16 + %h * 8 + %t floordiv 4) * 32 + %u * 8 + %t mod 4 * 2 + %v] = finalize fuser.linear(%a[%h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]) count [16]
              : (!fuser_loop.buffer<16x32xf32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
          }
        }
      }
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @group(
// A lane has 2 rows and 8 columns: 2 of each 8.
// CHECK: %[[A:.*]] = fuser_loop.buffer : !fuser_loop.buffer<2x8xf32, register>
// CHECK: fuser_loop.fence_async
// CHECK-NEXT: fuser_loop.barrier{{$}}
// CHECK: fuser_loop.for %{{.*}} to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (8) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[A]]{%{{.*}} * 8 + %{{.*}}} by 1 align 4 = initial
// Rows 0 to 63 for the first 4 warps, and 64 to 127 for the others.
// CHECK: fuser_loop.for %[[Y:.*]] to (8) on thread_y {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[A]]{0} by 2 align 4 = accumulate fuser.linear(%{{.*}}{(%[[Y]] floordiv 4) * 1024} by 8 align 16, %{{.*}}{0} by 8 align 16)
// CHECK-SAME: using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>>
// CHECK: fuser_loop.commit_products
// CHECK-NEXT: fuser_loop.wait_products pending 0 of %[[A]] : !fuser_loop.buffer<2x8xf32, register>
// CHECK: finalize fuser.linear(%[[A]]{%{{.*}} * 8 + %{{.*}} * 2 + %{{.*}}} by 2 align 8)

// KERNEL: fuser_gpu.wgmma_fence
// KERNEL: %[[D:.*]] = fuser_gpu.wgmma %{{.*}} : memref<2048xbf16, {{.*}}>, memref<512xbf16, {{.*}}>, vector<16xf32>
// KERNEL: fuser_gpu.wgmma_commit
// KERNEL: fuser_gpu.wgmma_wait 0 of %{{.*}} : vector<16xf32>
