// Places at a constant distance from each other share the other terms of their offsets, so that the constant comes last. The
// index of a later iteration is computed for the guard of its load, and is one term.
// RUN: fuser-opt %s --split-input-file --fuser-expand-loops | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<2xf32, register>

// CHECK-LABEL: gpu.func @neighbors(
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c100
// CHECK: %[[FIRST:.*]] = arith.addi %[[ROW]], %[[T]]
// CHECK: memref.load %{{.*}}[%[[FIRST]]]
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1
// CHECK: memref.load %{{.*}}[%[[SECOND]]]
fuser_loop.kernel @neighbors(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias)
    stage guarded index_bits 32 threads [32, 1, 1] grid [9, 1, 1] {
  fuser_loop.for %b to (9) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      %r = fuser_loop.buffer : !r
      fuser_loop.tile %r{0} by 1 align 4 = %x{%b * 100 + %t} by 1 align 4 : (!x) -> !r of tensor<?xf32>
      fuser_loop.tile %r{1} by 1 align 4 = %x{%b * 100 + (%t + 1)} by 1 align 4 : (!x) -> !r of tensor<?xf32>
      fuser_loop.tile %y{%b * 32 + %t} by 1 align 4 = fuser.add(%r{0} by 1 align 4, %r{1} by 1 align 4) : (!r, !r) -> !x of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<1xf32, register>

// CHECK-LABEL: gpu.func @iterations(
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c100
// CHECK: scf.for %[[I:.*]] = %c0 to %c10 step %c1 {
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c1
// CHECK: arith.cmpi ult, %[[LATER]], %c10
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[LATER]]
// CHECK: memref.load %{{.*}}[%[[AT]]]
fuser_loop.kernel @iterations(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias)
    stage guarded index_bits 32 threads [32, 1, 1] grid [9, 1, 1] {
  fuser_loop.for %b to (9) on block_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.for %i to (10) {
      fuser_loop.if (%i + 1 < 10) {
        fuser_loop.tile %r{0} by 1 align 4 = %x{%b * 100 + (%i + 1)} by 1 align 4 : (!x) -> !r of tensor<?xf32>
      }
      fuser_loop.tile %y{%b * 10 + %i} by 1 align 4 = %r{0} by 1 align 4 : (!r) -> !x of tensor<?xf32>
    }
  }
}
