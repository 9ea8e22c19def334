// RUN: fuser-opt %s -split-input-file -verify-diagnostics
// Roles that were edited by hand.

// A barrier of the block, which the producers do not reach.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      // expected-error @+1 {{expected no barrier of the block in a role, whose threads are some of those of the block}}
      fuser_loop.barrier
    }
  }
}

// -----

// Producers have no barrier of their own.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected a barrier of the role among the consumers only}}
      fuser_loop.barrier role
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// An acquire that was removed.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected an acquire of the stage before a bulk copy to it}}
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// The phase of the use itself: the producers would wait for themselves.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected the phase of the iteration before in this stage, its number floordiv 3 - 1}}
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// A wait for what was never released.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected a guard by the first 3 uses, for which nothing is released before: 2 < the number of the iteration}}
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Another stage.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected the barrier of the iteration, its number mod 3}}
      fuser_loop.acquire %s of %e[(%k + 1) mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Consumers release another stage.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      // expected-error @+1 {{expected the barrier of the iteration, its number mod 3}}
      fuser_loop.release %s of %e[(%k + 1) mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// A stage is released twice.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      // expected-error @+1 {{expected a wait for the phase of each buffer before its release}}
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// A read after the release.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        // expected-error @+1 {{expected a read of a circular buffer before its stage is released}}
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.barrier role
    }
  }
}

// -----

// No release: the producers wait for ever.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  // expected-error @+1 {{expected 0 arrivals, the threads of the consumers, but got 64}}
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.barrier role
    }
  }
}

// -----

// Fewer arrivals than there are threads.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  // expected-error @+1 {{expected 64 arrivals, the threads of the consumers, but got 32}}
  fuser_loop.init_phases %e arrivals 32 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// An acquire by the threads that release.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      // expected-error @+1 {{expected producers to wait for the release of stages: the threads that release them would wait for themselves}}
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// A release by the producers.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
      // expected-error @+1 {{expected consumers to release stages}}
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Copies by the consumers.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected the producers to begin bulk copies}}
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// No wait for the initialization.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  // expected-note @+1 {{the buffer is here}}
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Parts of warps.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [48, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 32 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected whole warps of consumers, but got 48 threads}}
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (48) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Half a warp of producers.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected a multiple of 32 producers, which are whole warps and whole rows of threads, but got 16}}
  fuser_loop.roles producers 16 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// More threads than a block has.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [1024, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 1024 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected at most 1024 threads in a block, but got 1024 and 32 producers}}
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Something after the roles.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected roles as the last op of their block}}
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
  fuser_loop.barrier
}

// -----

// Roles in a role.
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%n: index from #fuser_gpu.size<0, 0>) stage pipelined index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.roles producers 32 {
  } consumers {
    // expected-error @+1 {{expected roles in no branch and in no other role}}
    fuser_loop.roles producers 32 {
    } consumers {
    }
  }
}

// -----

// Roles in a loop.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 64 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  fuser_loop.for %i to (2) {
  // expected-error @+1 {{expected only loops on blocks around roles, but got one on serial}}
  fuser_loop.roles producers 32 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
  }
}

// -----

// Before the pass that writes them.
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%n: index from #fuser_gpu.size<0, 0>) stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected copies that are under way from stage pipelined on, but got reduced}}
  fuser_loop.roles producers 32 {
  } consumers {
  }
}

// -----

// Registers of one role.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 4, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 256 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected registers of both roles, or of none}}
  fuser_loop.roles producers 128 registers 40 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// A number of registers that no thread can have.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 4, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 256 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected a multiple of 8 from 24 to 256 registers of a role, but got 42}}
  fuser_loop.roles producers 128 registers 42 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers registers 232 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// The same, of the others.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 4, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 256 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected a multiple of 8 from 24 to 256 registers of a role, but got 264}}
  fuser_loop.roles producers 128 registers 40 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers registers 264 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// More registers than the launch gives to the block.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 4, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 256 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected roles with at most 64512 registers, 168 for each of 384 threads, but got 66560}}
  fuser_loop.roles producers 128 registers 40 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers registers 240 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Producers that are no warp groups.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 4, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 256 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected a multiple of 128 producers, which are whole warp groups and whole rows of threads, but got 64}}
  fuser_loop.roles producers 64 registers 40 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers registers 232 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Others that are none.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 3, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %e = fuser_loop.buffer at 800 : !f
  fuser_loop.init_phases %e arrivals 192 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.barrier
  // expected-error @+1 {{expected whole warp groups of consumers, but got 192 threads}}
  fuser_loop.roles producers 128 registers 40 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.acquire %s of %e[%k mod 3] phase (%k floordiv 3 - 1) if (2 < %k) : !s of !f
      fuser_loop.tile %s[%k mod 3, 0], %f[%k mod 3] = bulk %x[%k, 0] count [64] once [thread_x, thread_y] : (!x) -> (!s, !f) of tensor<?x64xf32>
    }
  } consumers registers 200 {
    fuser_loop.for %k to (symbol(%n)) {
      fuser_loop.wait_phase %s of %f[%k mod 3] phase (%k floordiv 3) : !s of !f
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] once [thread_y] : (!s) -> !x of tensor<?x64xf32>
      }
      fuser_loop.release %s of %e[%k mod 3] : !s of !f
      fuser_loop.barrier role
    }
  }
}

// -----

// Registers without a producer.
!x = !fuser_loop.buffer<?x64xf32, global>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected registers of a producer and of the other threads, next to 'role producer' only}}
    %s = fuser_loop.buffer stages 4 by bulk registers [40, 232] : !fuser_loop.buffer<64xf32, shared>
  }
}

// -----

// Registers of one role.
!x = !fuser_loop.buffer<?x64xf32, global>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected registers of a producer and of the other threads, next to 'role producer' only}}
    %s = fuser_loop.buffer stages 4 by bulk role producer registers [40] : !fuser_loop.buffer<64xf32, shared>
  }
}
