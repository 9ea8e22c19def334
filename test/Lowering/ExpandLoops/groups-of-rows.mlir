// Groups of four rows of a tensor whose number of rows is a multiple of four: the rows of the last group exist, and the last row of all
// is the last one of its group.
// RUN: fuser-opt %s --split-input-file --fuser-expand-loops --canonicalize --cse | FileCheck %s

!x = !fuser_loop.buffer<?xi32, global>
!i = !fuser_loop.buffer<i32, register>
!b = !fuser_loop.buffer<i1, register>

// Only the last row of a group is compared with the last one of all, and may have no next row.
// CHECK-LABEL: gpu.func @whole(
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}
// CHECK-NOT: arith.cmpi
// CHECK: memref.load
// CHECK-NOT: arith.cmpi
// CHECK: memref.load
// CHECK-NOT: arith.cmpi
// CHECK: memref.load
// CHECK: %[[LAST:.*]] = arith.cmpi eq
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c4
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %[[N]]
// CHECK: scf.if %[[EXISTS]]
// CHECK-NOT: arith.cmpi
// CHECK: arith.select %[[LAST]]
// CHECK-NOT: arith.cmpi
// CHECK: gpu.return
fuser_loop.kernel @whole(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 assume (symbol(%n) mod 4 == 0) threads [1, 1, 1] grid [symbol(%n) floordiv 4, 1, 1] {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : index
  %end = arith.subi %n, %c1 : index
  %last = arith.index_cast %end : index to i64
  fuser_loop.for %b to (symbol(%n) floordiv 4) on block_x {
    fuser_loop.for %u to (4) on unroll {
      %i = fuser_loop.buffer : !i
      fuser_loop.tile %i{0} by 1 align 4 = fuser.iota(%zero scalar, %one scalar, %n scalar) at [%b * 4 + %u] : (i64, i64, index) -> !i of (i64, i64, index) -> tensor<?xi32>
      %e = fuser_loop.buffer : !b
      fuser_loop.tile %e{0} by 1 align 1 = fuser.eq(%i{0} by 1 align 4, %last scalar) : (!i, i64) -> !b of (tensor<?xi32>, i64) -> tensor<?xi1>
      %r = fuser_loop.buffer : !i
      fuser_loop.tile %r{0} by 1 align 4 = fuser.pad(%x{%b * 4 + %u + 1} by 1 align 4 where (%b * 4 + %u + 1 < symbol(%n)), %zero scalar) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_high = array<i64: 1>, static_low = array<i64: -1>}
        : (!x, i64) -> !i of (tensor<?xi32>, i64) -> tensor<?xi32>
      fuser_loop.tile %y{%b * 4 + %u} by 1 align 4 = fuser.where(%e{0} by 1 align 1, %i{0} by 1 align 4, %r{0} by 1 align 4)
        : (!b, !i, !i) -> !x of (tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xi32, global>
!i = !fuser_loop.buffer<i32, register>
!b = !fuser_loop.buffer<i1, register>

// With an even number of rows, every second row may be the last one.
// CHECK-LABEL: gpu.func @even(
// CHECK-COUNT-2: arith.cmpi eq
// CHECK-NOT: arith.cmpi eq
// CHECK: gpu.return
fuser_loop.kernel @even(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 assume (symbol(%n) mod 2 == 0) threads [1, 1, 1] grid [symbol(%n) ceildiv 4, 1, 1] {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : index
  %end = arith.subi %n, %c1 : index
  %last = arith.index_cast %end : index to i64
  fuser_loop.for %b to (symbol(%n) ceildiv 4) on block_x {
    fuser_loop.for %u to (4) on unroll {
      %i = fuser_loop.buffer : !i
      fuser_loop.tile %i{0} by 1 align 4 = fuser.iota(%zero scalar, %one scalar, %n scalar) at [%b * 4 + %u] : (i64, i64, index) -> !i of (i64, i64, index) -> tensor<?xi32>
      %e = fuser_loop.buffer : !b
      fuser_loop.tile %e{0} by 1 align 1 = fuser.eq(%i{0} by 1 align 4, %last scalar) : (!i, i64) -> !b of (tensor<?xi32>, i64) -> tensor<?xi1>
      %r = fuser_loop.buffer : !i
      fuser_loop.tile %r{0} by 1 align 4 = fuser.pad(%x{%b * 4 + %u + 1} by 1 align 4 where (%b * 4 + %u + 1 < symbol(%n)), %zero scalar) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_high = array<i64: 1>, static_low = array<i64: -1>}
        : (!x, i64) -> !i of (tensor<?xi32>, i64) -> tensor<?xi32>
      fuser_loop.if (%b * 4 + %u < symbol(%n)) {
        fuser_loop.tile %y{%b * 4 + %u} by 1 align 4 = fuser.where(%e{0} by 1 align 1, %i{0} by 1 align 4, %r{0} by 1 align 4)
          : (!b, !i, !i) -> !x of (tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      }
    }
  }
}
