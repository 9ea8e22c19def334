// Products of warp groups: one group is under way while the next iteration begins, and copies begin an iteration later.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops,canonicalize,cse,fuser-place-buffers,canonicalize,cse,fuser-insert-barriers,canonicalize,cse))" | FileCheck %s --check-prefix=BARRIERS
// RUN: fuser-opt %s --split-input-file --fuser-lower-kernels | FileCheck %s --check-prefix=KERNEL

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<64x2x8xbf16, shared>
!w = !fuser_loop.buffer<32x2x8xbf16, shared>
!a = !fuser_loop.buffer<16x32xf32, register>
!y = !fuser_loop.buffer<?x32xf32, global>

fuser_loop.kernel @under_way(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                       %z: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 readonly noalias,
                       %y: !y from #fuser_gpu.pointer<2> strides [32, 1] align 16 noalias,
                       %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() : () -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
    }
  }
  fuser_loop.for %k to (symbol(%n) ceildiv 16) {
    %s = fuser_loop.buffer stages 4 : !s
    %w = fuser_loop.buffer stages 4 : !w
    fuser_loop.for %q to (4) on thread_y {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (8) on vectorize {
          %p = fuser_loop.xor (%t mod 2, (%t floordiv 8) mod 2)
          fuser_loop.tile %s[%q * 16 + %t floordiv 2, %p, %v] = %x[%q * 16 + %t floordiv 2, %k * 16 + %t mod 2 * 8 + %v]
            where (%q * 16 + %t floordiv 2 < symbol(%m), %k * 16 + %t mod 2 * 8 + %v < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
        }
        fuser_loop.for %v to (4) on vectorize {
          %p = fuser_loop.xor (%t floordiv 2 mod 2, %q mod 2)
          fuser_loop.tile %w[%q * 8 + %t floordiv 4, %p, %t mod 2 * 4 + %v] = %z[%q * 8 + %t floordiv 4, %k * 16 + %t mod 4 * 4 + %v]
            where (%k * 16 + %t mod 4 * 4 + %v < symbol(%n)) : (!x) -> !w of tensor<?x?xbf16>
        }
      }
    }
    fuser_loop.for %q to (4) on thread_y {
      fuser_loop.for %i to (16) on mma {
        fuser_loop.for %j to (32) on mma {
          fuser_loop.for %l to (16) on mma {
            %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
            %r = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
            fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%q * 16 + %i, %p, %l mod 8], %w[%j, %r, %l mod 8])
              : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
          }
        }
      }
    }
  }
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %h to (2) on unroll {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %y[%q * 16 + %h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]
              = finalize fuser.linear(%a[%h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]) count [symbol(%n)] if (%q * 16 + %h * 8 + %t floordiv 4 < symbol(%m))
              : (!a) -> !y of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
          }
        }
      }
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @under_way(
// CHECK: %[[S:.*]] = fuser_loop.buffer stages 4
// CHECK: %[[W:.*]] = fuser_loop.buffer stages 4
// Two iterations ahead.
// CHECK: fuser_loop.for %{{.*}} to (2) on unroll {
// CHECK: fuser_loop.for %[[K:.*]] to (symbol(%{{.*}}) ceildiv 16) {
// CHECK-NEXT: fuser_loop.wait_copies %[[S]], %[[W]] pending 1
// CHECK-NEXT: fuser_loop.wait_products pending 1{{$}}
// CHECK: fuser_loop.tile %[[S]][(%[[K]] + 2) mod 4,
// CHECK: fuser_loop.commit_copies
// CHECK: accumulate fuser.linear(%[[S]][%[[K]] mod 4,
// CHECK: fuser_loop.commit_products
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.wait_products pending 0 of %{{.*}} : !fuser_loop.buffer<16x32xf32, register>
// CHECK-NEXT: fuser_loop.wait_copies %[[S]], %[[W]] pending 0

// BARRIERS-LABEL: fuser_loop.kernel @under_way(
// BARRIERS: fuser_loop.buffer stages 4 at 0
// BARRIERS: fuser_loop.wait_copies %{{.*}} pending 1
// BARRIERS-NEXT: fuser_loop.fence_async
// BARRIERS-NEXT: fuser_loop.wait_products pending 1{{$}}
// BARRIERS-NEXT: fuser_loop.barrier
// BARRIERS-NOT: fuser_loop.fence_async
// BARRIERS: fuser_loop.commit_products
// BARRIERS-NEXT: }
// BARRIERS-NEXT: fuser_loop.wait_products pending 0
// BARRIERS-NEXT: fuser_loop.wait_copies
// BARRIERS-NOT: fuser_loop.fence_async
// BARRIERS: }

// KERNEL-LABEL: gpu.module @under_way
// KERNEL: scf.for
// KERNEL: fuser_gpu.copy_wait 1
// KERNEL-NEXT: fuser_gpu.fence_async
// KERNEL-NEXT: fuser_gpu.wgmma_wait 1
// KERNEL-NEXT: gpu.barrier
// KERNEL: fuser_gpu.wgmma_fence
// KERNEL: fuser_gpu.wgmma %
// KERNEL: fuser_gpu.wgmma_commit
// KERNEL: fuser_gpu.wgmma_wait 0 of %{{.*}} : vector<16xf32>
// KERNEL: fuser_gpu.copy_wait 0

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<64x2x8xbf16, shared>
!w = !fuser_loop.buffer<32x2x8xbf16, shared>
!a = !fuser_loop.buffer<16x32xf32, register>
!y = !fuser_loop.buffer<?x32xf32, global>

fuser_loop.kernel @two_stages(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                       %z: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 readonly noalias,
                       %y: !y from #fuser_gpu.pointer<2> strides [32, 1] align 16 noalias,
                       %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() : () -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
    }
  }
  fuser_loop.for %k to (symbol(%n) ceildiv 16) {
    %s = fuser_loop.buffer stages 2 : !s
    %w = fuser_loop.buffer stages 2 : !w
    fuser_loop.for %q to (4) on thread_y {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (8) on vectorize {
          %p = fuser_loop.xor (%t mod 2, (%t floordiv 8) mod 2)
          fuser_loop.tile %s[%q * 16 + %t floordiv 2, %p, %v] = %x[%q * 16 + %t floordiv 2, %k * 16 + %t mod 2 * 8 + %v]
            where (%q * 16 + %t floordiv 2 < symbol(%m), %k * 16 + %t mod 2 * 8 + %v < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
        }
        fuser_loop.for %v to (4) on vectorize {
          %p = fuser_loop.xor (%t floordiv 2 mod 2, %q mod 2)
          fuser_loop.tile %w[%q * 8 + %t floordiv 4, %p, %t mod 2 * 4 + %v] = %z[%q * 8 + %t floordiv 4, %k * 16 + %t mod 4 * 4 + %v]
            where (%k * 16 + %t mod 4 * 4 + %v < symbol(%n)) : (!x) -> !w of tensor<?x?xbf16>
        }
      }
    }
    fuser_loop.for %q to (4) on thread_y {
      fuser_loop.for %i to (16) on mma {
        fuser_loop.for %j to (32) on mma {
          fuser_loop.for %l to (16) on mma {
            %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
            %r = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
            fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%q * 16 + %i, %p, %l mod 8], %w[%j, %r, %l mod 8])
              : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
          }
        }
      }
    }
  }
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %h to (2) on unroll {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %y[%q * 16 + %h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]
              = finalize fuser.linear(%a[%h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]) count [symbol(%n)] if (%q * 16 + %h * 8 + %t floordiv 4 < symbol(%m))
              : (!a) -> !y of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
          }
        }
      }
    }
  }
}

// Two stages leave none for copies while a product reads one and another one is under way.
// CHECK-LABEL: fuser_loop.kernel @two_stages(
// CHECK-NOT: wait_products
// CHECK: fuser_loop.tile %{{.*}}[(%{{.*}} + 1) mod 2,

// BARRIERS-LABEL: fuser_loop.kernel @two_stages(
// BARRIERS: fuser_loop.wait_copies %{{.*}} pending 0
// BARRIERS-NEXT: fuser_loop.fence_async
// BARRIERS-NEXT: fuser_loop.barrier
// BARRIERS: fuser_loop.commit_products
// BARRIERS-NEXT: fuser_loop.wait_products pending 0 of %{{.*}}
// BARRIERS-NEXT: }

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<64x2x8xbf16, shared>
!w = !fuser_loop.buffer<32x2x8xbf16, shared>
!a = !fuser_loop.buffer<16x32xf32, register>
!y = !fuser_loop.buffer<?x32xf32, global>

fuser_loop.kernel @used_in_the_loop(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                       %z: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 readonly noalias,
                       %y: !y from #fuser_gpu.pointer<2> strides [32, 1] align 16 noalias,
                       %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() : () -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
    }
  }
  fuser_loop.for %k to (symbol(%n) ceildiv 16) {
    %s = fuser_loop.buffer stages 3 : !s
    %w = fuser_loop.buffer stages 3 : !w
    fuser_loop.for %q to (4) on thread_y {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (8) on vectorize {
          %p = fuser_loop.xor (%t mod 2, (%t floordiv 8) mod 2)
          fuser_loop.tile %s[%q * 16 + %t floordiv 2, %p, %v] = %x[%q * 16 + %t floordiv 2, %k * 16 + %t mod 2 * 8 + %v]
            where (%q * 16 + %t floordiv 2 < symbol(%m), %k * 16 + %t mod 2 * 8 + %v < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
        }
        fuser_loop.for %v to (4) on vectorize {
          %p = fuser_loop.xor (%t floordiv 2 mod 2, %q mod 2)
          fuser_loop.tile %w[%q * 8 + %t floordiv 4, %p, %t mod 2 * 4 + %v] = %z[%q * 8 + %t floordiv 4, %k * 16 + %t mod 4 * 4 + %v]
            where (%k * 16 + %t mod 4 * 4 + %v < symbol(%n)) : (!x) -> !w of tensor<?x?xbf16>
        }
      }
    }
    fuser_loop.for %q to (4) on thread_y {
      fuser_loop.for %i to (16) on mma {
        fuser_loop.for %j to (32) on mma {
          fuser_loop.for %l to (16) on mma {
            %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
            %r = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
            fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%q * 16 + %i, %p, %l mod 8], %w[%j, %r, %l mod 8])
              : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
          }
        }
      }
    }
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.tile %a[%i, %j] = finalize fuser.linear(%a[%i, %j]) count [symbol(%n)]
          : (!a) -> !a of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.for %h to (2) on unroll {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %y[%q * 16 + %h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]
              = finalize fuser.linear(%a[%h * 8 + %t floordiv 4, %u * 8 + %t mod 4 * 2 + %v]) count [symbol(%n)] if (%q * 16 + %h * 8 + %t floordiv 4 < symbol(%m))
              : (!a) -> !y of (tensor<?x?xbf16>, tensor<32x?xbf16>) -> tensor<?x32xf32>
          }
        }
      }
    }
  }
}

// What uses the accumulators in the loop waits for the products.
// CHECK-LABEL: fuser_loop.kernel @used_in_the_loop(
// CHECK-NOT: wait_products
// CHECK: fuser_loop.tile %{{.*}}[(%{{.*}} + 2) mod 3,

// BARRIERS-LABEL: fuser_loop.kernel @used_in_the_loop(
// BARRIERS: fuser_loop.commit_products
// BARRIERS-NEXT: fuser_loop.wait_products pending 0 of %{{.*}}
// BARRIERS-NEXT: fuser_loop.for
