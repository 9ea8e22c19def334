// RUN: fuser-opt %s -split-input-file -verify-diagnostics
// Copies and circular buffers that were edited by hand.

// A wait that was removed.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a buffer that is written before it is read}}
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A group that was removed, before the wait and in the loop.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
  }
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected a copy to each buffer, and a commit, before they are waited for}}
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A barrier that was removed: the next copy and the reads need it.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a barrier between the wait for a circular buffer and the next copy to it}}
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// More groups under way than stages permit.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected 0 to 1 groups that are under way while a stage of '!fuser_loop.buffer<3x64xf32, shared>' is read, but got 2}}
    fuser_loop.wait_copies %s pending 2 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// No stage.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected at least 1 stage, but got 0}}
  %s = fuser_loop.buffer stages 0 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Stages that are no dimension.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected the stages as the first dimension of a circular buffer, 4, from stage pipelined on, but got '!fuser_loop.buffer<3x64xf32, shared>'}}
  %s = fuser_loop.buffer stages 4 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Copies in a stage that has none.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected a serial loop around a buffer with stages}}
  %s = fuser_loop.buffer stages 3 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A copy of what is computed.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a copy from an argument of the kernel}}
      fuser_loop.tile %s[%p mod 3, %t] = copy %s[%p, %t] if (%p < symbol(%n)) : (!s) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A copy to what is no circular buffer.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a copy to a circular buffer, which has 'stages'}}
      fuser_loop.tile %y[%p, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !x of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A move to a circular buffer.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected copies to a circular buffer from stage pipelined on}}
      fuser_loop.tile %s[%p mod 3, %t] = %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Stages in registers.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected stages of a buffer in shared memory that is not distributed only}}
  %r = fuser_loop.buffer stages 3 : !fuser_loop.buffer<3x64xf32, register>
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 1 : !s
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// A wait for what is no circular buffer.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[%p mod 3, %t] = copy %x[%p, %t] if (%p < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
  fuser_loop.for %k to (symbol(%n)) {
    // expected-error @+1 {{expected circular buffers, which have 'stages', but got '!fuser_loop.buffer<?x64xf32, global>'}}
    fuser_loop.wait_copies %x pending 1 : !x
    fuser_loop.barrier
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%k, %t] = %s[%k mod 3, 63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

// Stages of a loop that the threads of the grid run in turn.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) in_turn {
    // expected-error @+1 {{expected a serial loop around a buffer with stages}}
    %s = fuser_loop.buffer stages 2 : !s
    fuser_loop.tile %s[0] = %x[%k, 0] : (!x) -> !s of tensor<?x64xf32>
  }
}

// -----

// One stage that bulk copies fill.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<1x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly) stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected at least 2 stages, one to read and one to fill, but got 1}}
  %s = fuser_loop.buffer stages 1 by bulk at 0 : !s
}

// -----

// More stages than are written out before a loop.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<65x64xf32, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly) stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected at most 64 stages, but got 65}}
  %s = fuser_loop.buffer stages 65 by bulk at 0 : !s
}
