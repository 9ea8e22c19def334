// RUN: fuser-opt %s --split-input-file --verify-diagnostics
// Bulk copies to arguments that were edited by hand.

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @no_fence(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    // expected-note @+1 {{the buffer is here}}
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.barrier
    // expected-error @+1 {{expected a 'fuser_loop.fence_async' and a barrier between the write of a buffer in shared memory and a bulk copy from it}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @no_barrier(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    // expected-note @+1 {{the buffer is here}}
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @fence_after_the_barrier(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    // expected-note @+1 {{the buffer is here}}
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.barrier
    fuser_loop.fence_async
    // expected-error @+1 {{expected a 'fuser_loop.fence_async' and a barrier between the write of a buffer in shared memory and a bulk copy from it}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

// expected-error @+1 {{expected a 'fuser_loop.wait_stores' after the bulk copies from a buffer in shared memory}}
fuser_loop.kernel @no_wait(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    // expected-note @+1 {{the buffer is here}}
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @written_again(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    // expected-note @+1 {{the buffer is here}}
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.for %r to (32) on thread_x {
      // expected-error @+1 {{expected a 'fuser_loop.wait_stores' after the bulk copies from a buffer in shared memory}}
      fuser_loop.tile %s[%r, 0] = %x[%b * 32 + %r, 0] if (%b * 32 + %r < symbol(%m)) : (!x) -> !s of tensor<?x?xbf16>
    }
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @all_threads(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected one thread to begin a bulk copy (once [thread_x])}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @other_argument(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected a tensor map of}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @too_large(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected a box of at most 2048 elements, those of the buffer, but got 4096}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<64x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @other_coordinates(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected the indices of the argument as the coordinates of the box}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 8] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @odd_place(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 512 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected a buffer at a multiple of 1024 bytes for boxes of}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @from_an_argument(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected a store from a buffer in shared memory that is not distributed, but got}}
    fuser_loop.tile %y[%b * 32, 0] = store %x[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!x) -> !x of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @to_a_buffer(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.fence_async
    fuser_loop.barrier
    // expected-error @+1 {{expected a store to an argument of the kernel}}
    fuser_loop.tile %s[0, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !s of tensor<?x?xbf16>
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @not_a_box(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage pipelined index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        // expected-error @+1 {{expected a store of a box from stage pipelined on, with 'using'}}
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%r, %c] within [symbol(%m), symbol(%n)] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @no_sizes(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        // expected-error @+1 {{expected the 2 sizes of the argument (within [...]), but got 0}}
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @box_too_early(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    // expected-error @+1 {{expected copies that are under way from stage pipelined on, but got reduced}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @wait_too_early(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage placed index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer at 0 : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    // expected-error @+1 {{expected waits for bulk copies from stage synchronized on, but got placed}}
    fuser_loop.wait_stores
  }
}

// -----

!x = !fuser_loop.buffer<?x?xf32, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @to_elements_of_another_type(%y: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage pipelined index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    // expected-error @+1 {{expected an output with elements of 'tensor<?x?xbf16>', but got '!fuser_loop.buffer<?x?xf32, global>'}}
    fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xf32>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!s) -> !x of tensor<?x?xbf16>
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @of_producers(%y: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage pipelined index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.roles producers 32 {
      // expected-error @+1 {{expected the consumers to store what they have computed}}
      fuser_loop.tile %y[%b * 32, 0] = store %s[0, 0] at [%b * 32, 0] once [thread_x] using [!fuser_gpu.tensor_map<32x64xbf16>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
        : (!s) -> !x of tensor<?x?xbf16>
    } consumers {
    }
  }
}
