// Stores of pairs that no store of matrices replaces.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s

// CHECK-NOT: stmatrix
// CHECK-COUNT-12: stage accessed
// CHECK-NOT: stmatrix

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Rows do not begin at multiples of 16 bytes.
fuser_loop.kernel @odd_pitch(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x36xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x36xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x36xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Elements of 32 bits.
fuser_loop.kernel @wide_elements(%y: !fuser_loop.buffer<?x32xf32, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xf32, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.exp(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x32xf32, shared> of (tensor<?x32xf32>) -> tensor<?x32xf32>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xf32, shared>) -> !fuser_loop.buffer<?x32xf32, global> of tensor<?x32xf32>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// One matrix at once would be as many stores.
fuser_loop.kernel @one_matrix(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) {
    fuser_loop.for %h to (2) {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[0, %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Rows do not begin at multiples of 16 bytes, as a row of the tile has four columns of each 8.
fuser_loop.kernel @some_rows(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x16xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 4 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%n * 4 + %t mod 4 * 2 < 16)
            : (!c) -> !fuser_loop.buffer<16x16xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t floordiv 2] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x16xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Elements that do not exist have no places.
fuser_loop.kernel @beyond(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<12x32xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < 12)
            : (!c) -> !fuser_loop.buffer<12x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r mod 12, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<12x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// A guard selects the threads that store.
fuser_loop.kernel @selected(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%t floordiv 16 == 0)
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Lanes have other elements: four rows of four columns each.
fuser_loop.kernel @other_lanes(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t mod 8, %n * 8 + %t floordiv 8 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Another tile writes the buffer.
fuser_loop.kernel @two_writers(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %s[0, %t] = %s[1, %t] : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<16x32xbf16, shared> of tensor<?x32xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Threads wait for each other in the loop.
fuser_loop.kernel @barrier_inside(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
      fuser_loop.barrier
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Threads choose a version of a loop that is not unrolled.
fuser_loop.kernel @serial_versions(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) unswitch {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[0, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// A warp of two stores.
fuser_loop.kernel @some_warps(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 2, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %q to (1) on thread_y {
    fuser_loop.for %n to (4) on unroll {
      fuser_loop.for %h to (2) on unroll {
        fuser_loop.for %t to (32) on thread_x {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %s[%h * 8 + %t floordiv 4, %n * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
              : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
          }
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) once [thread_y] : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Elements that do not exist have the places of others that do.
fuser_loop.kernel @common_places(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !c
  %c = fuser_loop.buffer : !c
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %a[%n, %i, %j] = initial fuser.matmul() : () -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %i to (16) on mma {
      fuser_loop.for %j to (8) on mma {
        fuser_loop.tile %c[%n, %i, %j] = finalize fuser.matmul(%a[%n, %i, %j]) count [16] : (!c) -> !c of (tensor<?x?xbf16>, tensor<?x32xbf16>) -> tensor<?x32xf32>
      }
    }
  }
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, (%n mod 2) * 8 + %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%n < 2)
            : (!c) -> !fuser_loop.buffer<16x32xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}
