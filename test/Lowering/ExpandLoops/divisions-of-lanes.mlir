// Lanes that cross the ends of rows: the quotient and the remainder of each follow from those of the first lane, if a row is
// longer than the distance; else each lane is divided.
// RUN: fuser-opt %s --fuser-expand-loops --canonicalize | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<2xf32, register>

// CHECK-LABEL: gpu.func @long_rows(
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[TWICE:.*]] = arith.muli
// CHECK-DAG: %[[REST:.*]] = arith.remui %[[TWICE]], %[[N]]
// CHECK-DAG: %[[NEXT:.*]] = arith.addi %[[REST]], %[[ONE]] overflow<nsw, nuw>
// CHECK-DAG: %[[LESS:.*]] = arith.subi %[[NEXT]], %[[N]]
// CHECK-DAG: arith.minui %[[NEXT]], %[[LESS]]
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[TWICE]], %[[N]]
// CHECK-DAG: %[[INSIDE:.*]] = arith.cmpi ult, %[[NEXT]], %[[N]]
// CHECK-DAG: %[[AFTER:.*]] = arith.addi %[[ROW]], %[[ONE]]
// CHECK-DAG: arith.select %[[INSIDE]], %[[ROW]], %[[AFTER]]
// CHECK-NOT: arith.remui
// CHECK-NOT: arith.divui
// CHECK: gpu.return
fuser_loop.kernel @long_rows(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 assume (0 < symbol(%n) - 1) threads [128, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (2) on vectorize {
      fuser_loop.tile %r{%v} by 2 align 8 = %x{(2 * %t + %v) mod symbol(%n)} by 1 align 4 : (!x) -> !r of tensor<?xf32>
    }
    fuser_loop.for %v to (2) on vectorize {
      fuser_loop.tile %y{(2 * %t + %v) floordiv symbol(%n)} by 1 align 4 = %r{%v} by 2 align 8 : (!r) -> !x of tensor<?xf32>
    }
  }
}

// CHECK-LABEL: gpu.func @any_rows(
// CHECK-COUNT-2: arith.remui
// CHECK-NOT: arith.minui
// CHECK: gpu.return
fuser_loop.kernel @any_rows(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 assume (0 < symbol(%n)) threads [128, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %v to (2) on vectorize {
      fuser_loop.tile %r{%v} by 2 align 8 = %x{(2 * %t + %v) mod symbol(%n)} by 1 align 4 : (!x) -> !r of tensor<?xf32>
    }
    fuser_loop.for %v to (2) on vectorize {
      fuser_loop.tile %y{2 * %t + %v} by 1 align 4 = %r{%v} by 2 align 8 : (!r) -> !x of tensor<?xf32>
    }
  }
}

// Lanes further apart than a row of a known length: a constant is added to the quotient of what is left of the distance.
// CHECK-LABEL: gpu.func @short_rows(
// CHECK-COUNT-1: arith.remui
// CHECK-NOT: arith.remui
// CHECK: gpu.return
fuser_loop.kernel @short_rows(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 assume (0 < symbol(%n)) threads [128, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    %r = fuser_loop.buffer : !fuser_loop.buffer<8xf32, register>
    fuser_loop.for %v to (8) on vectorize {
      fuser_loop.tile %r{%v} by 2 align 8 = %x{(8 * %t + %v) mod 3} by 1 align 4 : (!x) -> !fuser_loop.buffer<8xf32, register> of tensor<?xf32>
    }
    fuser_loop.for %v to (8) on vectorize {
      fuser_loop.tile %y{(8 * %t + %v) floordiv 3} by 1 align 4 = %r{%v} by 2 align 8 : (!fuser_loop.buffer<8xf32, register>) -> !x of tensor<?xf32>
    }
  }
}
