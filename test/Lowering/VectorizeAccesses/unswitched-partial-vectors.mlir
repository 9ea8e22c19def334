// Loops to unswitch around vectors of which only some lanes may be in bounds.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s

!x = !fuser_loop.buffer<?x10xf32, global>
!t = !fuser_loop.buffer<128x10xf32, shared>
!r = !fuser_loop.buffer<3x4xf32, register>

// 128 rows of ten elements, 320 vectors of four, by 128 threads: whether the last row of all vectors of a thread exists decides
// for all of them, so that no load waits for the test of another one. What is the same for all lanes stays a guard of each
// vector: most threads have no third one. In the second version, which the last block runs, vectors have no version of whole
// ones.
// CHECK-LABEL: fuser_loop.kernel @rows
// CHECK: fuser_loop.for %[[B:[a-z0-9_]+]] to {{.*}} on block_x {
// CHECK-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: fuser_loop.if (%[[B]] * 128 + ((%[[T]] + 256) * 4 + 3) floordiv 10 < symbol(%{{[a-z0-9_]+}})) {
// CHECK-NEXT: fuser_loop.for %{{[a-z0-9_]+}} to (1) {
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.tile %[[R:[a-z0-9_]+]]{{.*}} by 4 align 16 = %arg0{{.*}} by 4 align 16 if ({{[^)]*}} < 320){{$}}
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.tile %arg1{{.*}} by 4 align 16 = %[[R]]{{.*}} by 4 align 16 if ({{[^)]*}} < 320){{$}}
// CHECK: } else {
// CHECK-NEXT: fuser_loop.for %{{[a-z0-9_]+}} to (1) {
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.tile {{.*}} = %arg0{{.*}} by 2 align 8 where (%[[B]] * 128 + {{.*}} floordiv 10 < symbol
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.tile %arg1{{.*}} by 2 align 8 where (%[[B]] * 128 + {{.*}} floordiv 10 < symbol
fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [10, 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [10, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 threads [128, 1, 1] grid [symbol(%m) ceildiv 128, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 128) on block_x {
    fuser_loop.for %w to (1) unswitch {
      %r = fuser_loop.buffer : !r
      fuser_loop.for %u to (3) on unroll {
        fuser_loop.for %t to (128) on thread_x {
          fuser_loop.for %v to (4) on vectorize {
            fuser_loop.tile %r[%u, %v] = %x[%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10, ((%u * 128 + %t) * 4 + %v) mod 10] if (%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10 < symbol(%m), %u * 128 + %t < 320) : (!x) -> !r of tensor<?x10xf32>
          }
        }
      }
      fuser_loop.for %u to (3) on unroll {
        fuser_loop.for %t to (128) on thread_x {
          fuser_loop.for %v to (4) on vectorize {
            fuser_loop.tile %y[%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10, ((%u * 128 + %t) * 4 + %v) mod 10] = %r[%u, %v] if (%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10 < symbol(%m), %u * 128 + %t < 320) : (!r) -> !x of tensor<?x10xf32>
          }
        }
      }
    }
  }
}

// An even number of rows has a whole number of vectors: a vector exists if its first element does, and nothing is unswitched
// for it.
// CHECK-LABEL: fuser_loop.kernel @even_rows
// CHECK: fuser_loop.for %[[B:[a-z0-9_]+]] to {{.*}} on block_x {
// CHECK-NEXT: fuser_loop.for %{{[a-z0-9_]+}} to (1) unswitch {
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.tile %[[R:[a-z0-9_]+]]{{.*}} by 4 align 16 = %arg0{{.*}} by 4 align 16 if (%[[B]] * 128 + {{.*}} floordiv 10 < symbol(%{{[a-z0-9_]+}}), {{.*}} < 320){{$}}
// CHECK-NOT: fuser_loop.if
// CHECK: fuser_loop.tile %arg1{{.*}} by 4 align 16 = %[[R]]{{.*}} by 4 align 16 if (%[[B]] * 128 + {{.*}} floordiv 10 < symbol(%{{[a-z0-9_]+}}), {{.*}} < 320){{$}}
fuser_loop.kernel @even_rows(%x: !x from #fuser_gpu.pointer<0> strides [10, 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [10, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 32 assume (symbol(%m) mod 2 == 0) threads [128, 1, 1] grid [symbol(%m) ceildiv 128, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 128) on block_x {
    fuser_loop.for %w to (1) unswitch {
      %r = fuser_loop.buffer : !r
      fuser_loop.for %u to (3) on unroll {
        fuser_loop.for %t to (128) on thread_x {
          fuser_loop.for %v to (4) on vectorize {
            fuser_loop.tile %r[%u, %v] = %x[%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10, ((%u * 128 + %t) * 4 + %v) mod 10] if (%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10 < symbol(%m), %u * 128 + %t < 320) : (!x) -> !r of tensor<?x10xf32>
          }
        }
      }
      fuser_loop.for %u to (3) on unroll {
        fuser_loop.for %t to (128) on thread_x {
          fuser_loop.for %v to (4) on vectorize {
            fuser_loop.tile %y[%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10, ((%u * 128 + %t) * 4 + %v) mod 10] = %r[%u, %v] if (%b * 128 + ((%u * 128 + %t) * 4 + %v) floordiv 10 < symbol(%m), %u * 128 + %t < 320) : (!r) -> !x of tensor<?x10xf32>
          }
        }
      }
    }
  }
}
