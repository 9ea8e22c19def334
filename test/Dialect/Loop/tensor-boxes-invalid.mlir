// RUN: fuser-opt %s -split-input-file -verify-diagnostics
// Boxes that were edited by hand.

// A map without its binding.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a tensor map and its binding for a bulk copy, but got [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>]}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// The map of another argument.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a tensor map of '!fuser_loop.buffer<?x?xbf16, global>', the argument that is read}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// Elements of another type.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a tensor map of '!fuser_loop.buffer<?x?xbf16, global>', the argument that is read}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// A dimension less.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a tensor map of '!fuser_loop.buffer<?x?xbf16, global>', the argument that is read}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// More than a stage has.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a box of at most 2048 elements, those of a stage, but got 4096}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// Another place than is read.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected the indices of the argument as the coordinates of the box}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 8] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// Coordinates in another order.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected the indices of the argument as the coordinates of the box}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [0, %p * 32] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// A guard.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8192 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 0 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a box without a guard: what is outside becomes 0}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] where (%p * 32 < symbol(%m)) at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}

// -----

// A place where the pattern of the swizzle does not begin.
!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x32x64xbf16, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4,
                     %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 8320 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 2 by bulk at 128 : !s
  fuser_loop.for %p to (1) on unroll {
    // expected-error @+1 {{expected a buffer at a multiple of 1024 bytes for boxes of}}
    fuser_loop.tile %s[%p mod 2, 0, 0], %f[%p mod 2] = bulk %x[%p * 32, 0] at [%p * 32, 0] if (%p < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%m) ceildiv 32) {
    fuser_loop.wait_phase %s of %f[%k mod 2] phase (%k floordiv 2) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 1) mod 2, 0, 0], %f[(%k + 1) mod 2] = bulk %x[(%k + 1) * 32, 0] at [(%k + 1) * 32, 0] if (%k + 1 < symbol(%m) ceildiv 32) once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!x) -> (!s, !f) of tensor<?x?xbf16>
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%k * 32 + %t, 0] = %s[%k mod 2, 31 - %t, 0] if (%k * 32 + %t < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
    }
  }
}
