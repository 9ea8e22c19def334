// Stores of matrices in place of stores of pairs.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-vectorize-accesses),canonicalize,cse)" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | fuser-opt --split-input-file | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-lower-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses{matrix-stores=false}))" | FileCheck %s --check-prefix=OFF

// OFF-NOT: stmatrix

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Four matrices at once: two of the rows by two of the columns. The guard stays with what is computed: rows that do not exist are
// stored as well, to places of their own.
fuser_loop.kernel @rows(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
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
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK: stage accessed
// CHECK: %[[S:.*]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x32xbf16, shared>
// CHECK-NEXT: %[[R:.*]] = fuser_loop.buffer : !fuser_loop.buffer<2x4x2xbf16, register>
// CHECK-NEXT: fuser_loop.for %[[N:.*]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.for %[[H:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[T:.*]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[V:.*]] to (2) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[R]]{((%[[N]] floordiv 2) * 4 + (%[[N]] mod 2) * 2 + %[[H]]) * 2 + %[[V]]} by 2 align 4 = fuser.cast({{.*}}) if (%[[H]] * 8 + %[[T]] floordiv 4 < symbol(%{{.*}}))
// CHECK: fuser_loop.for %[[G:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[L:.*]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[S]]{(((%[[L]] floordiv 8) mod 2) * 8 + %[[L]] mod 8) * 32 + %[[G]] * 16 + (%[[L]] floordiv 16) * 8} by 8 align 16 = %[[R]]{%[[G]] * 8} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
// CHECK-NEXT: : (!fuser_loop.buffer<2x4x2xbf16, register>) -> !fuser_loop.buffer<16x32xbf16, shared> of tensor<bf16>
// CHECK: fuser_loop.barrier

// KERNEL-LABEL: gpu.module @rows
// KERNEL-COUNT-2: fuser_gpu.stmatrix %{{.*}}, %{{.*}}[%{{.*}}] : vector<8xbf16>, memref<512xbf16, #gpu.address_space<workgroup>>
// KERNEL-NOT: stmatrix
// KERNEL: gpu.barrier

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Chunks of 8 elements change places by the number of the row, as lanes name it.
fuser_loop.kernel @swizzled(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
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
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<16x4x8xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        %x = fuser_loop.xor (%n, (%t floordiv 4) mod 4)
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%h * 8 + %t floordiv 4, %x, %t mod 4 * 2 + %v] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v])
            : (!c) -> !fuser_loop.buffer<16x4x8xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t floordiv 8, %t mod 8] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x4x8xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @swizzled(
// CHECK: on vectorize {
// CHECK: fuser_loop.for %[[G:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[L:.*]] to (32) on thread_x {
// CHECK-NEXT: %[[X:.*]] = fuser_loop.xor (%[[G]] * 2 + %[[L]] floordiv 16, %[[L]] mod 4)
// CHECK-NEXT: fuser_loop.tile %{{.*}}{((((%[[L]] floordiv 8) mod 2) * 8 + %[[L]] mod 8) * 4 + %[[X]]) * 8} by 8 align 16 = %{{.*}}{%[[G]] * 8} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// The results lie by columns: lane 8 * q + r names the address of a column.
fuser_loop.kernel @columns(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
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
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<32x16xbf16, shared>
  fuser_loop.for %n to (4) on unroll {
    fuser_loop.for %h to (2) on unroll {
      fuser_loop.for %t to (32) on thread_x {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %s[%n * 8 + %t mod 4 * 2 + %v, %h * 8 + %t floordiv 4] = fuser.cast(%c[%n, %h * 8 + %t floordiv 4, %t mod 4 * 2 + %v]) if (%h * 8 + %t floordiv 4 < symbol(%m))
            : (!c) -> !fuser_loop.buffer<32x16xbf16, shared> of (tensor<?x32xf32>) -> tensor<?x32xbf16>
        }
      }
    }
  }
  fuser_loop.barrier
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%t, %r] if (%r < symbol(%m)) : (!fuser_loop.buffer<32x16xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @columns(
// CHECK: fuser_loop.tile %{{.*}}{(%[[G:.*]] * 16 + (%[[L:.*]] floordiv 16) * 8 + %[[L]] mod 8) * 16 + ((%[[L]] floordiv 8) mod 2) * 8} by 8 align 16 = %{{.*}}{%[[G]] * 8} by 8 align 16 using #fuser_gpu.stmatrix<4, bf16, transposed = true> together

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// A loop that is not unrolled has the stores in each iteration.
fuser_loop.kernel @two_matrices(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
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

// CHECK-LABEL: fuser_loop.kernel @two_matrices(
// CHECK: fuser_loop.for %[[N:.*]] to (4) {
// CHECK-NEXT: %[[R:.*]] = fuser_loop.buffer : !fuser_loop.buffer<1x2x2xbf16, register>
// CHECK: on vectorize {
// CHECK: fuser_loop.for %[[L:.*]] to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile %{{.*}}{(((%[[L]] floordiv 8) mod 2) * 8 + %[[L]] mod 8) * 32 + %[[N]] * 8} by 8 align 16 = %[[R]]{0} by 4 align 8 using #fuser_gpu.stmatrix<2, bf16, transposed = false> together

// -----

!c = !fuser_loop.buffer<4x16x8xf32, register>

// Threads choose one of two versions of a loop on their own, and store together after it.
fuser_loop.kernel @unswitched(%y: !fuser_loop.buffer<?x32xbf16, global> from #fuser_gpu.pointer<0> strides [32, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
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
  fuser_loop.for %n to (4) on unroll unswitch {
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
    fuser_loop.for %r to (16) {
      fuser_loop.tile %y[%r, %t] = %s[%r, %t] if (%r < symbol(%m)) : (!fuser_loop.buffer<16x32xbf16, shared>) -> !fuser_loop.buffer<?x32xbf16, global> of tensor<?x32xbf16>
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @unswitched(
// CHECK: fuser_loop.for %{{.*}} to (4) on unroll unswitch {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (2) on unroll {
// CHECK-NOT: stmatrix
// CHECK: fuser_loop.for %{{.*}} to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile {{.*}} using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
