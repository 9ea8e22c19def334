// RUN: fuser-opt %s -split-input-file -verify-diagnostics
// Bulk copies that were edited by hand.

// A wait that was removed.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  // expected-error @+1 {{expected a wait for the phases of barriers}}
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// The phase of each iteration.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected the phase of the iteration, its number floordiv 3}}
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// The phase of the next round.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected the phase of the iteration, its number floordiv 3}}
    fuser_loop.wait_phase %s of %f[%k mod 3] phase ((%k + 3) floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// The barrier of another stage.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected the barrier of the iteration, its number mod 3}}
    fuser_loop.wait_phase %s of %f[(%k + 1) mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A copy to one stage that completes the barrier of another one.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    // expected-error @+1 {{expected the barrier of the stage that is filled}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 1) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// An arrival that no copy makes.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  // expected-error @+1 {{expected 1 arrivals, the bulk copies of an iteration, but got 2}}
  fuser_loop.init_phases %f arrivals 2 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// No arrival at all.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  // expected-error @+1 {{expected at least 1 arrival, but got 0}}
  fuser_loop.init_phases %f arrivals 0 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A copy that was removed.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  // expected-error @+1 {{expected 0 arrivals, the bulk copies of an iteration, but got 1}}
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// More elements than a stage has.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    // expected-error @+1 {{expected a count of 1 to 64, the elements of a stage, but got 128}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [128] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Bytes that are no multiple of 16.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    // expected-error @+1 {{expected a count with a multiple of 16 bytes, but got 62 elements of 4}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [62] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// No count.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    // expected-error @+1 {{expected the count of elements to copy}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// All threads begin the copy.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    // expected-error @+1 {{expected one thread to begin a bulk copy (once [thread_x])}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Barriers that may not be initialized when threads wait.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A stage that others may still read.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    // expected-error @+1 {{expected a barrier between the wait for a circular buffer and the next copy to it}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Barriers that nothing initializes.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    // expected-error @+1 {{expected barriers that an init_phases initializes, but got '!fuser_loop.buffer<3xi64, shared>'}}
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A buffer that threads fill.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    // expected-error @+1 {{expected circular buffers by bulk, but got '!fuser_loop.buffer<3x64xf32, shared>'}}
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A copy by threads to a buffer by bulk.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    // expected-error @+1 {{expected bulk copies to a circular buffer by bulk, but got a copy}}
    fuser_loop.tile %s[(%k + 2) mod 3, 0] = copy %x[%k + 2, 0] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Barriers that are read.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  // expected-error @+1 {{expected only bulk copies and waits for phases to use barriers}}
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.barrier
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
    fuser_loop.barrier
    fuser_loop.tile %s[(%k + 2) mod 3, 0], %f[(%k + 2) mod 3] = bulk %x[%k + 2, 0] count [64] if (%k + 2 < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      // expected-note @+1 {{another use is here}}
      fuser_loop.tile %f[0] = %f[1] : (!f) -> !f of tensor<?xi64>
    }
  }
}
