// Loops on mma that no instruction of a warp group takes.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))"

fuser_loop.kernel @threads(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [128, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected 32 threads along thread_x, and a loop over a multiple of 4 warps along thread_y around loops on mma of a warp group, but the block has 128 x 4 threads}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @warps(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 6, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<96x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<96x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (6) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected 32 threads along thread_x, and a loop over a multiple of 4 warps along thread_y around loops on mma of a warp group, but the block has 32 x 6 threads}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<96x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @some_warps(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 8, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected 32 threads along thread_x, and a loop over a multiple of 4 warps along thread_y around loops on mma of a warp group, but the block has 32 x 8 threads}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @along_z(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 4] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_z {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+2 {{expected 32 threads along thread_x, and a loop over a multiple of 4 warps along thread_y around loops on mma of a warp group, but the block has 32 x 4 threads}}
          // expected-note @+1 {{there is no loop on thread_y around the tile}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @steps(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (8) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected loops on mma of a matrix instruction, 16 x n x 16, with n a multiple of 8 up to 256, of f16 or bf16, but got 16 x 32 x 8 of 'bf16'}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @columns(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x264xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<264x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<264x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (264) on mma {
      // expected-error @+1 {{expected 16 x 8 elements of loops on mma, but got 16 x 264 (of a warp group, the columns are a multiple of 8 up to 256)}}
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x264xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (264) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<264x2x8xbf16, shared>) -> !fuser_loop.buffer<16x264xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x264xf32, register>
}

// -----

fuser_loop.kernel @odd_columns(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x20xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<20x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<20x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (20) on mma {
      // expected-error @+1 {{expected 16 x 8 elements of loops on mma, but got 16 x 20}}
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x20xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (20) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<20x2x8xbf16, shared>) -> !fuser_loop.buffer<16x20xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x20xf32, register>
}

// -----

fuser_loop.kernel @element(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xf32, shared>
  %w = fuser_loop.buffer at 8192 : !fuser_loop.buffer<32x2x8xf32, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<64x2x8xf32, shared> of tensor<?xf32>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<32x2x8xf32, shared> of tensor<?xf32>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected loops on mma of a matrix instruction, 16 x n x 16, with n a multiple of 8 up to 256, of f16 or bf16, but got 16 x 32 x 16 of 'f32'}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xf32, shared>, !fuser_loop.buffer<32x2x8xf32, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @not_swizzled(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, 0)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected operand 0 of loops on mma of a warp group in rows of 128, 64 or 32 bytes, along the sum or along the rows, 16 for each of 4 warps, of the result, whose chunks of 16 bytes are permuted: chunk c of row r of 128 bytes is at place c xor r mod 8}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @swizzled_otherwise(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 2) mod 2)
          // expected-error @+1 {{expected operand 1 of loops on mma of a warp group in rows of 128, 64 or 32 bytes, along the sum or along the columns of the result}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @rows_of_one_warp(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected operand 0 of loops on mma of a warp group}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @rows_in_turn(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, %i mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected operand 0 of loops on mma of a warp group}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%i * 4 + %y4, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @columns_of_warps(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<128x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<128x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected operand 1 of loops on mma of a warp group}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%y4 * 32 + %j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<128x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @longer_rows(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x3x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x3x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          // expected-error @+1 {{expected operand 0 of loops on mma of a warp group}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x3x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @at_row_4(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x32xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<40x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<40x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4 + 1) mod 2)
          // expected-error @+1 {{expected operand 1 of loops on mma of a warp group}}
          fuser_loop.tile %a[%i, %j] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j + 4, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<40x2x8xbf16, shared>) -> !fuser_loop.buffer<16x32xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x32xf32, register>
}

// -----

fuser_loop.kernel @turned_result(%x: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                       %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage synchronized index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<32x16xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64x2x8xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<32x2x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<64x2x8xbf16, shared> of tensor<?xbf16>
    fuser_loop.tile %w[0, 0, 0] = %x[0] : (!fuser_loop.buffer<?xbf16, global>) -> !fuser_loop.buffer<32x2x8xbf16, shared> of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (32) on mma {
      // expected-error @+1 {{expected results of loops on mma of a warp group with row and column as the last dimensions, but got}}
      fuser_loop.tile %a[%j, %i] = initial fuser.linear() replicated [thread_x, thread_y] : () -> !fuser_loop.buffer<32x16xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %y4 to (4) on thread_y {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (32) on mma {
        fuser_loop.for %l to (16) on mma {
          %p = fuser_loop.xor (%l floordiv 8, (%i floordiv 4) mod 2)
          %q = fuser_loop.xor (%l floordiv 8, (%j floordiv 4) mod 2)
          fuser_loop.tile %a[%j, %i] = accumulate fuser.linear(%s[%y4 * 16 + %i, %p, %l mod 8], %w[%j, %q, %l mod 8]) : (!fuser_loop.buffer<64x2x8xbf16, shared>, !fuser_loop.buffer<32x2x8xbf16, shared>) -> !fuser_loop.buffer<32x16xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
        }
      }
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<32x16xf32, register>
}
