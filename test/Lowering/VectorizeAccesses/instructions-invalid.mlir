// Loops on mma that no instruction takes.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))"

fuser_loop.kernel @lanes(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [48, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (48) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
        // expected-error @+1 {{expected a multiple of 32 threads along thread_x, the lanes of a warp, for loops on mma, but got 48}}
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @extents(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (4) on mma {
        // expected-error @+1 {{expected loops on mma of a matrix instruction, 16 x 8 x 16 or 16 x 8 x 8 of f16 or bf16, but got 16 x 8 x 4 of 'bf16'}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @element(%x: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xf32, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xf32, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<16x16xf32, shared> of tensor<?x?xf32>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<16x8xf32, shared> of tensor<?x?xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected loops on mma of a matrix instruction, 16 x 8 x 16 or 16 x 8 x 8 of f16 or bf16, but got 16 x 8 x 16 of 'f32'}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x16xf32, shared>, !fuser_loop.buffer<16x8xf32, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @sum(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf64, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf64, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf64, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf64>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected a matrix instruction to sum in f32, but got 'f64'}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf64, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf64>
      }
    }
  }
}

// -----

fuser_loop.kernel @registers(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer : !fuser_loop.buffer<16x16xbf16, register>
  %w = fuser_loop.buffer : !fuser_loop.buffer<16x8xbf16, register>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, register> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, register> of tensor<?x?xbf16>
  }

  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected operand 0 of loops on mma in shared memory of the block, from which ldmatrix loads, but it is '!fuser_loop.buffer<16x16xbf16, register>'}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x16xbf16, register>, !fuser_loop.buffer<16x8xbf16, register>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @columns_of_rows(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x32xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected operand 0 not to be indexed by the second (columns) loop on mma}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %j + %l], %w[%l, %j]) : (!fuser_loop.buffer<16x32xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @no_sum(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected operand 1 to be indexed by the innermost (sum) loop on mma}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[0, %j]) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @scattered(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x16xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected 8 elements of operand 1 next to each other in shared memory, at a multiple of 16 bytes, along the columns or along the sum of loops on mma, as ldmatrix loads them}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j * 2]) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x16xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @odd_rows(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x20xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x20xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected 8 elements of operand 0 next to each other in shared memory, at a multiple of 16 bytes, along the rows or along the sum of loops on mma, as ldmatrix loads them}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x20xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @guarded(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] if (%t < symbol(%m)) : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] if (%t < symbol(%m)) : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected the operands of loops on mma to be copies of arguments, which are zeros where there is no element, or all elements to exist (a fact 'divisible' would say so)}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) if (%l < symbol(%m)) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}

// -----

fuser_loop.kernel @by_lanes(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x64xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x64xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %t to (32) on thread_x {
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        // expected-error @+1 {{expected the tile in loops on mma not to use the index of the loop on thread_x around it: the lanes of a warp execute an instruction together}}
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l + %t], %w[%l, %j]) : (!fuser_loop.buffer<16x64xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
  }
}

// -----

fuser_loop.kernel @reader(%x: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [16, 1] align 16 readonly noalias, %y: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [8, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  %w = fuser_loop.buffer at 4096 : !fuser_loop.buffer<16x8xbf16, shared>
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x16xbf16, shared> of tensor<?x?xbf16>
    fuser_loop.tile %w[0, 0] = %x[0, 0] : (!fuser_loop.buffer<?x?xbf16, global>) -> !fuser_loop.buffer<16x8xbf16, shared> of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.tile %a[%i, %j] = initial fuser.matmul() replicated [thread_x] : () -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.for %i to (16) on mma {
    fuser_loop.for %j to (8) on mma {
      fuser_loop.for %l to (16) on mma {
        fuser_loop.tile %a[%i, %j] = accumulate fuser.matmul(%s[%i, %l], %w[%l, %j]) : (!fuser_loop.buffer<16x16xbf16, shared>, !fuser_loop.buffer<16x8xbf16, shared>) -> !fuser_loop.buffer<16x8xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %v to (2) on unroll {
        // expected-error @+1 {{expected to read the result of a matrix instruction in the lanes that have it: lane t of a warp, along thread_x, has rows t floordiv 4 + 8 * i and columns 2 * (t mod 4) + j of 16 x 8}}
        fuser_loop.tile %y[%t floordiv 4, %t mod 4 * 2 + %v] = finalize fuser.matmul(%a[%h + %t floordiv 4 * 2, %t mod 4 * 2 + %v]) count [symbol(%m)] : (!fuser_loop.buffer<16x8xf32, register>) -> !fuser_loop.buffer<?x?xf32, global> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
      }
    }
  }
}
