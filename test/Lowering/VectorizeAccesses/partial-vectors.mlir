// Vectors of which only some lanes may be in bounds.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s

!x = !fuser_loop.buffer<?x?xf32, global>
!w = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// All elements of an argument are adjacent: its accesses are vectors where all four are in bounds, and single elements where
// not. The rows have any length, so that each lane looks up its column. The sum is computed once, of all lanes.
fuser_loop.kernel @flat(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %w: !w from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<2> strides [symbol(%n), 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 assume (0 < symbol(%n) - 3) threads [128, 1, 1] grid [((symbol(%m) * symbol(%n)) ceildiv 4) ceildiv 128, 1, 1] {
  fuser_loop.for %b to (((symbol(%m) * symbol(%n)) ceildiv 4) ceildiv 128) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      %r = fuser_loop.buffer : !r
      %s = fuser_loop.buffer : !r
      %q = fuser_loop.buffer : !r
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %r[%v] = %x[((%b * 128 + %t) * 4 + %v) floordiv symbol(%n), ((%b * 128 + %t) * 4 + %v) mod symbol(%n)] if ((%b * 128 + %t) * 4 + %v < symbol(%m) * symbol(%n)) : (!x) -> !r of tensor<?x?xf32>
        fuser_loop.tile %s[%v] = %w[((%b * 128 + %t) * 4 + %v) mod symbol(%n)] if ((%b * 128 + %t) * 4 + %v < symbol(%m) * symbol(%n)) : (!w) -> !r of tensor<?xf32>
        fuser_loop.tile %q[%v] = fuser.add(%r[%v], %s[%v]) if ((%b * 128 + %t) * 4 + %v < symbol(%m) * symbol(%n)) : (!r, !r) -> !r of (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
        fuser_loop.tile %y[((%b * 128 + %t) * 4 + %v) floordiv symbol(%n), ((%b * 128 + %t) * 4 + %v) mod symbol(%n)] = %q[%v] if ((%b * 128 + %t) * 4 + %v < symbol(%m) * symbol(%n)) : (!r) -> !x of tensor<?x?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @flat(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG4:[a-z0-9_]+]]), 1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<2> strides [symbol(%[[ARG4]]), 1] align 16 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG4]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage accessed index_bits 32 assume (0 < symbol(%[[ARG4]]) - 3) threads [128, 1, 1] grid [((symbol(%[[ARG3]]) * symbol(%[[ARG4]])) ceildiv 4) ceildiv 128, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (((symbol(%[[ARG3]]) * symbol(%[[ARG4]])) ceildiv 4) ceildiv 128) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.if ((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + 3 < symbol(%[[ARG3]]) * symbol(%[[ARG4]])) {
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG7]]} by 4 align 16 = %[[ARG0]]{(%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V1]]{%[[ARG7]]} by 4 align 16 = %[[ARG1]]{((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]]) mod symbol(%[[ARG4]])} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG7]]} by 4 align 16 = %[[ARG0]]{(%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]]} by 1 align 4 where ((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]] < symbol(%[[ARG3]]) * symbol(%[[ARG4]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V1]]{%[[ARG7]]} by 4 align 16 = %[[ARG1]]{((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]]) mod symbol(%[[ARG4]])} by 1 align 4 where ((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]] < symbol(%[[ARG4]]) * symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V2]]{%[[ARG7]]} by 4 align 16 = fuser.add(%[[V0]]{%[[ARG7]]} by 4 align 16, %[[V1]]{%[[ARG7]]} by 4 align 16)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>, !fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<4xf32, register> of (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.if ((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + 3 < symbol(%[[ARG3]]) * symbol(%[[ARG4]])) {
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]]{(%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]]} by 4 align 16 = %[[V2]]{%[[ARG7]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?x?xf32, global> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]]{(%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]]} by 1 align 4 where ((%[[ARG5]] * 128 + %[[ARG6]]) * 4 + %[[ARG7]] < symbol(%[[ARG3]]) * symbol(%[[ARG4]])) = %[[V2]]{%[[ARG7]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?x?xf32, global> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Rows that begin at no multiple of a vector: single elements in any case, without another version.
fuser_loop.kernel @misaligned(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage synchronized index_bits 32 threads [128, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      %r = fuser_loop.buffer : !r
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %r[%v] = %x[%b, 4 * %t + %v] if (4 * %t + %v < symbol(%n)) : (!x) -> !r of tensor<?x?xf32>
        fuser_loop.tile %y[%b, 4 * %t + %v] = %r[%v] if (4 * %t + %v < symbol(%n)) : (!r) -> !x of tensor<?x?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @misaligned(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG3]]), 1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG3]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage accessed index_bits 32 threads [128, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG6]]} by 4 align 16 = %[[ARG0]]{%[[ARG4]] * symbol(%[[ARG3]]) + %[[ARG5]] * 4 + %[[ARG6]]} by 1 align 4 where (%[[ARG5]] * 4 + %[[ARG6]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG4]] * symbol(%[[ARG3]]) + %[[ARG5]] * 4 + %[[ARG6]]} by 1 align 4 where (%[[ARG5]] * 4 + %[[ARG6]] < symbol(%[[ARG3]])) = %[[V0]]{%[[ARG6]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?x?xf32, global> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
