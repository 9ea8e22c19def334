// What stores of matrices have to be.
// RUN: fuser-opt %s -split-input-file -verify-diagnostics

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @chunk_of_a_lane(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected a store of matrices to read what a lane has, by 8 without a guard, but got by 4}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 4 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @chunk_of_a_row(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected writes of a store of matrices by 8, align 16, without a guard}}
    fuser_loop.tile %s{%t * 8} by 4 align 16 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @alignment(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected writes of a store of matrices by 8, align 16, without a guard}}
    fuser_loop.tile %s{%t * 8} by 8 align 8 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, shared>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @memory(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer at 512 : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected a store of matrices from registers to shared memory, of 'bf16', but got}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xf16, global>
!r = !fuser_loop.buffer<4x2xf16, register>
!s = !fuser_loop.buffer<32x8xf16, shared>

fuser_loop.kernel @element(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<f16>
    // expected-error @+1 {{expected a store of matrices from registers to shared memory, of 'bf16', but got}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<f16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @guard(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected no guard of a matrix instruction}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 16 if (%t < 16) using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @threads(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [16, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (16) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected a multiple of 32 threads along thread_x, the lanes of warps, but got 16}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @lanes(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected a loop over all 64 threads along thread_x around a matrix instruction}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @op(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    // expected-error @+1 {{expected a store of matrices to move elements, in no vectorize loop}}
    fuser_loop.tile %s{%t * 8} by 8 align 16 = fuser.neg(%r{0} by 8 align 16) using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!r) -> !s of (tensor<bf16>) -> tensor<bf16>
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xbf16, global>
!r = !fuser_loop.buffer<4x2xbf16, register>
!s = !fuser_loop.buffer<32x8xbf16, shared>

fuser_loop.kernel @vector(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %r{0} by 1 align 2 = %y{%t} by 1 align 2 : (!y) -> !r of tensor<bf16>
    fuser_loop.for %v to (8) on vectorize {
      // expected-error @+1 {{expected a store of matrices to move elements, in no vectorize loop}}
      fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
        : (!r) -> !s of tensor<bf16>
    }
  }
  fuser_loop.barrier
}
