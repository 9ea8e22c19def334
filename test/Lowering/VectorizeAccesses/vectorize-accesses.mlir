// Offsets in elements, and chunks of lanes that are one access.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s
!x = !fuser_loop.buffer<?xf32, global>
!y = !fuser_loop.buffer<?x?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>

// Merged dimensions that are contiguous need no division, and a row that 4 divides holds whole vectors.
fuser_loop.kernel @merged(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16, %m: index from #fuser_gpu.size<1, 0>, %n: index from #fuser_gpu.size<1, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 4 == 0) threads [128, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r[%v] = %y[(4 * %t + %v) floordiv symbol(%n), (4 * %t + %v) mod symbol(%n)] if (4 * %t + %v < symbol(%n)) : (!y) -> !r of tensor<?x?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @merged(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 16, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>, %[[ARG3]]: index from #fuser_gpu.size<1, 1>)
// CHECK-NEXT: stage accessed index_bits 64 assume (symbol(%[[ARG3]]) mod 4 == 0) threads [128, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG5]]} by 4 align 16 = %[[ARG1]]{%[[ARG4]] * 4 + %[[ARG5]]} by 4 align 16 if (%[[ARG4]] * 4 < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Lanes in different rows are stored one by one; a read is done in the widest parts that are whole.
fuser_loop.kernel @parts(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16, %m: index from #fuser_gpu.size<1, 0>, %n: index from #fuser_gpu.size<1, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 4 == 0) threads [128, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r[%v] = %x[4 * %t + %v + 2] where (4 * %t + %v + 2 < symbol(%n)) : (!x) -> !r of tensor<?xf32>
    }
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %y[%v, %t] = %r[%v] : (!r) -> !y of tensor<?x?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @parts(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 16, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>, %[[ARG3]]: index from #fuser_gpu.size<1, 1>)
// CHECK-NEXT: stage accessed index_bits 64 assume (symbol(%[[ARG3]]) mod 4 == 0) threads [128, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG5]]} by 4 align 16 = %[[ARG0]]{%[[ARG4]] * 4 + %[[ARG5]] + 2} by 2 align 8 where (%[[ARG4]] * 4 + %[[ARG5]] + 2 < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG5]] * symbol(%[[ARG3]]) + %[[ARG4]]} by 1 align 4 = %[[V0]]{%[[ARG5]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?x?xf32, global> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// One element for all lanes, an odd pitch, registers beyond their end, and a root index that follows the lanes.
fuser_loop.kernel @scattered(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16, %m: index from #fuser_gpu.size<1, 0>, %n: index from #fuser_gpu.size<1, 1>)
    stage synchronized index_bits 64 threads [128, 1, 1] grid [symbol(%m), 1, 1] {
  %c = arith.constant 7 : i64
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r[%v] = fuser.random_uniform(%c scalar, %c scalar, %n scalar) at [(4 * %t + %v) mod 16] : (i64, i64, index) -> !r of (i64, i64, index) -> tensor<?xf32>
    }
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %y[%t, %v] = fuser.add(%r[%v + 2], %x[%t]) : (!r, !x) -> !y of (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @scattered(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 16, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>, %[[ARG3]]: index from #fuser_gpu.size<1, 1>)
// CHECK-NEXT: stage accessed index_bits 64 threads [128, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: %[[VC7_I64:[a-z0-9_]+]] = arith.constant 7 : i64
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG5]]} by 4 align 16 = fuser.random_uniform(%[[VC7_I64]] scalar, %[[VC7_I64]] scalar, %[[ARG3]] scalar) at [(%[[ARG4]] * 4) mod 16 + %[[ARG5]]]
// CHECK-NEXT: : (i64, i64, index) -> !fuser_loop.buffer<4xf32, register> of (i64, i64, index) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG4]] * symbol(%[[ARG3]]) + %[[ARG5]]} by 1 align 4 = fuser.add(%[[V0]]{%[[ARG5]] + 2} by 2 align 8 clamp, %[[ARG0]]{%[[ARG4]]} by 4 align 4)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>, !fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?x?xf32, global> of (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A vector of which only some lanes may exist is computed for all: reads and stores are guarded in parts that exist or do not.
fuser_loop.kernel @ragged(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 2 == 0) threads [128, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    %q = fuser_loop.buffer : !r
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r[%v] = %x[4 * %t + %v] if (%t < 100, 4 * %t + %v < symbol(%n)) : (!x) -> !r of tensor<?xf32>
      fuser_loop.tile %q[%v] = fuser.exp(%r[%v]) if (%t < 100, 4 * %t + %v < symbol(%n)) : (!r) -> !r of (tensor<?xf32>) -> tensor<?xf32>
      fuser_loop.tile %y[4 * %t + %v] = %q[%v] if (%t < 100, 4 * %t + %v < symbol(%n)) : (!r) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @ragged(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage accessed index_bits 64 assume (symbol(%[[ARG2]]) mod 2 == 0) threads [128, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < 100, %[[ARG3]] * 4 + 3 < symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG4]]} by 4 align 16 = %[[ARG0]]{%[[ARG3]] * 4 + %[[ARG4]]} by 4 align 16 if (%[[ARG3]] < 100)
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG4]]} by 4 align 16 = %[[ARG0]]{%[[ARG3]] * 4 + %[[ARG4]]} by 2 align 8 where (%[[ARG3]] * 4 + %[[ARG4]] < symbol(%[[ARG2]])) if (%[[ARG3]] < 100)
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V1]]{%[[ARG4]]} by 4 align 16 = fuser.exp(%[[V0]]{%[[ARG4]]} by 4 align 16) if (%[[ARG3]] < 100)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<4xf32, register> of (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.if (%[[ARG3]] < 100, %[[ARG3]] * 4 + 3 < symbol(%[[ARG2]])) {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]] * 4 + %[[ARG4]]} by 4 align 16 = %[[V1]]{%[[ARG4]]} by 4 align 16 if (%[[ARG3]] < 100)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG3]] * 4 + %[[ARG4]]} by 2 align 8 where (%[[ARG3]] * 4 + %[[ARG4]] < symbol(%[[ARG2]])) = %[[V1]]{%[[ARG4]]} by 4 align 16 if (%[[ARG3]] < 100)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Data that is one index for all lanes: rows are vectors. Data of each lane: element by element, from a vector of indices.
!i = !fuser_loop.buffer<?xi32, global>
fuser_loop.kernel @at_data(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16, %i: !i from #fuser_gpu.pointer<2> strides [1] align 16, %m: index from #fuser_gpu.size<1, 0>, %n: index from #fuser_gpu.size<1, 1>)
    stage synchronized index_bits 64 assume (symbol(%n) mod 4 == 0) threads [128, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (4) on vectorize {
      %0 = fuser_loop.index %i[%t] : !i
      fuser_loop.tile %r[%v] = %y[%0, 4 * %t + %v] where (%0 < symbol(%m)) : (!y) -> !r of tensor<?x?xf32>
    }
    fuser_loop.for %v to (4) on vectorize {
      %0 = fuser_loop.index %i[4 * %t + %v] : !i
      fuser_loop.tile %r[%v] = %y[%t, %0] where (%0 < symbol(%n)) : (!y) -> !r of tensor<?x?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @at_data(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG4:[a-z0-9_]+]]), 1] align 16, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xi32, global> from #fuser_gpu.pointer<2> strides [1] align 16, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>, %[[ARG4]]: index from #fuser_gpu.size<1, 1>)
// CHECK-NEXT: stage accessed index_bits 64 assume (symbol(%[[ARG4]]) mod 4 == 0) threads [128, 1, 1] grid [symbol(%[[ARG3]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.index %[[ARG2]]{%[[ARG5]]} by 4 align 4 : !fuser_loop.buffer<?xi32, global>
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG6]]} by 4 align 16 = %[[ARG1]]{%[[V1]] * symbol(%[[ARG4]]) + %[[ARG5]] * 4 + %[[ARG6]]} by 4 align 16 where (%[[V1]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG6]] to (4) on vectorize {
// CHECK-NEXT: %[[V1]] = fuser_loop.index %[[ARG2]]{%[[ARG5]] * 4 + %[[ARG6]]} by 4 align 16 : !fuser_loop.buffer<?xi32, global>
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG6]]} by 4 align 16 = %[[ARG1]]{%[[ARG5]] * symbol(%[[ARG4]]) + %[[V1]]} by 1 align 4 where (%[[V1]] < symbol(%[[ARG4]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A swizzle of lanes scatters them; one of rows does not.
fuser_loop.kernel @swizzled(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16)
    stage synchronized index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (32) on thread_x {
    %r = fuser_loop.buffer : !r
    %0 = fuser_loop.xor (%t, (%t floordiv 4) mod 8)
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r[%v] = %x[4 * %0 + %v] : (!x) -> !r of tensor<?xf32>
    }
    fuser_loop.for %v to (4) on vectorize {
      %1 = fuser_loop.xor (%v, %t mod 4)
      fuser_loop.tile %r[%v] = %x[4 * %t + %1] : (!x) -> !r of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @swizzled(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16)
// CHECK-NEXT: stage accessed index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.xor (%[[ARG1]], (%[[ARG1]] floordiv 4) mod 8)
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG2]]} by 4 align 16 = %[[ARG0]]{%[[V1]] * 4 + %[[ARG2]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (4) on vectorize {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.xor (%[[ARG2]], %[[ARG1]] mod 4)
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG2]]} by 4 align 16 = %[[ARG0]]{%[[ARG1]] * 4 + %[[V2]]} by 1 align 4
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Of lanes that are to be stored at index 0, the first is.
fuser_loop.kernel @first_lane(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16)
    stage synchronized index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (32) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r[%v] = %x[4 * %t + %v] : (!x) -> !r of tensor<?xf32>
    }
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %x[0] = %r[%v] if (4 * %t + %v == 0) : (!r) -> !x of tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @first_lane(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16)
// CHECK-NEXT: stage accessed index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{%[[ARG2]]} by 4 align 16 = %[[ARG0]]{%[[ARG1]] * 4 + %[[ARG2]]} by 4 align 16
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG0]]{0} by 1 align 4 where (%[[ARG2]] == 0) = %[[V0]]{%[[ARG2]]} by 4 align 16 if (%[[ARG1]] * 4 == 0)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Terms are joined where a quotient and a remainder meet; the other products stay as they are written.
// CHECK-LABEL: fuser_loop.kernel @joined(
// CHECK: fuser_loop.tile {{.*}} = %{{.*}}{(%[[I:[a-z0-9]+]] * 4 + %[[U:[a-z0-9]+]]) * symbol(%[[K:[a-z0-9]+]]) + %[[B:[a-z0-9]+]]} by 1 align 4
fuser_loop.kernel @joined(%x: !fuser_loop.buffer<?x?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%k), symbol(%n), 1] align 4 readonly noalias, %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %k: index from #fuser_gpu.size<1, 0>, %n: index from #fuser_gpu.size<0, 2>)
    stage synchronized index_bits 64 threads [1, 1, 1] grid [symbol(%k), 1, 1] {
  fuser_loop.for %b to (symbol(%k)) on block_x {
    fuser_loop.for %i to (symbol(%n)) {
      fuser_loop.for %u to (4) on unroll {
        fuser_loop.tile %y[%b] = %x[4 * %i + %u, %b floordiv symbol(%n), %b mod symbol(%n)] : (!fuser_loop.buffer<?x?x?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
      }
    }
  }
}
