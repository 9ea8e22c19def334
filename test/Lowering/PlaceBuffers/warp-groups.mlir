// Operands of products of warp groups begin at groups of 8 rows of up to 128 bytes.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-buffers))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s --check-prefix=FENCES

!x = !fuser_loop.buffer<?xbf16, global>
!e = !fuser_loop.buffer<1040xbf16, shared>
!s = !fuser_loop.buffer<64x2x8xbf16, shared>
!w = !fuser_loop.buffer<40x2x8xbf16, shared>
!a = !fuser_loop.buffer<16x40xf32, register>

// CHECK: fuser_loop.buffer at 0 : !fuser_loop.buffer<1040xbf16, shared>
// CHECK: fuser_loop.buffer at 3072 : !fuser_loop.buffer<64x2x8xbf16, shared>
// CHECK: fuser_loop.buffer at 5120 : !fuser_loop.buffer<40x2x8xbf16, shared>

// The fences are behind the writes of the operands, outside of their loops; other buffers need none.
// FENCES: fuser_loop.tile %[[E:.*]][%{{.*}}] = %{{.*}}[%{{.*}}]
// FENCES-NOT: fuser_loop.fence_async
// FENCES: fuser_loop.barrier
// FENCES: fuser_loop.for %{{.*}} to (32) on thread_x {
// FENCES-NOT: fuser_loop.fence_async
// FENCES: fuser_loop.tile %{{.*}}[%{{.*}} * 2 + %{{.*}}
// FENCES: {{^  }}fuser_loop.fence_async
// FENCES-NOT: fuser_loop.fence_async
// FENCES: fuser_loop.tile %{{.*}}[%{{.*}}, 1, %{{.*}}]
// FENCES: {{^  }}fuser_loop.fence_async
// FENCES-NOT: fuser_loop.fence_async
// FENCES: fuser_loop.barrier
// FENCES: accumulate fuser.linear
// FENCES: {{^  }}fuser_loop.commit_products
// FENCES-NEXT: fuser_loop.wait_products pending 0
fuser_loop.kernel @places(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage reduced index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %e = fuser_loop.buffer : !e
  %s = fuser_loop.buffer : !s
  %w = fuser_loop.buffer : !w
  %a = fuser_loop.buffer : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %e[%t] = %x[%t] once [thread_y] : (!x) -> !e of tensor<?xbf16>
  }
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y[%t] = %e[31 - %t] once [thread_y] : (!e) -> !x of tensor<?xbf16>
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (40) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %u to (2) on unroll {
      fuser_loop.for %v to (8) on vectorize {
        fuser_loop.tile %s[%t * 2 + %u, 0, %v] = %x[%t * 16 + %u * 8 + %v] once [thread_y] : (!x) -> !s of tensor<?xbf16>
      }
    }
  }
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %v to (8) on vectorize {
      fuser_loop.tile %w[%t, 1, %v] = %x[%t * 8 + %v] once [thread_y] : (!x) -> !w of tensor<?xbf16>
    }
  }
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (40) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %r = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%q * 16 + %i, %p, %l mod 8], %w[%j, %r, %l mod 8]) : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y[%t] = %e[%t] once [thread_y] : (!e) -> !x of tensor<?xbf16>
  }
}
