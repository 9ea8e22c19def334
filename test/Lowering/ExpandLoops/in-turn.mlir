// Loops that the threads of the grid run in turn begin at the number of the thread, in steps of the threads of the grid.
// RUN: fuser-opt %s --split-input-file --fuser-expand-loops | FileCheck %s

!y = !fuser_loop.buffer<?xf32, global>

// CHECK-LABEL: gpu.func @grid(
// CHECK-SAME: %{{.*}}: memref<f32> {{{.*}}}, %[[V:[a-z0-9]+]]: f32 {{{.*}}}, %[[N:[a-z0-9]+]]: index
// CHECK-DAG: %[[BX:.*]] = gpu.block_id x
// CHECK-DAG: %[[BY:.*]] = gpu.block_id y
// CHECK-DAG: %[[TX:.*]] = gpu.thread_id x
// CHECK-DAG: %[[TY:.*]] = gpu.thread_id y
// CHECK: %[[M0:.*]] = arith.muli %[[BY]], %[[N]]
// CHECK: %[[N0:.*]] = arith.addi %[[M0]], %[[BX]]
// CHECK: %[[C0:.*]] = arith.muli %{{.*}}, %[[N]]
// CHECK: %[[M1:.*]] = arith.muli %[[N0]], %c4
// CHECK: %[[N1:.*]] = arith.addi %[[M1]], %[[TY]]
// CHECK: %[[C1:.*]] = arith.muli %[[C0]], %c4
// CHECK: %[[M2:.*]] = arith.muli %[[N1]], %c32
// CHECK: %[[FIRST:.*]] = arith.addi %[[M2]], %[[TX]]
// CHECK: %[[STEP:.*]] = arith.muli %[[C1]], %c32
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %{{.*}} step %[[STEP]] {
// CHECK: %[[AT:.*]] = arith.subi %{{.*}}, %c8
// CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[AT]], %c20
// CHECK: %[[AFTER:.*]] = arith.index_castui %[[LESS]] : i1 to index
// CHECK: %[[SPLAT:.*]] = vector.broadcast %[[V]] : f32 to vector<4xf32>
// CHECK: %[[MOVED:.*]] = arith.muli %[[AFTER]], %c16
// CHECK: vector.store %[[SPLAT]]
// One iteration is a loop as well.
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %c1 step %[[STEP]] {
// CHECK: memref.store %[[V]]
// CHECK-NOT: gpu.thread_id
fuser_loop.kernel @grid(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias, %v: f32 from #fuser_gpu.scalar<1>, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 threads [32, 4, 1] grid [symbol(%n), 3, 1] {
  fuser_loop.for %i to (7) in_turn {
    %after = fuser_loop.holds (%i * 4 - 8 < 20)
    fuser_loop.for %k to (4) on vectorize {
      fuser_loop.tile %y{%after * 16 + %i * 4 + %k} by 4 align 16 = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
    }
  }
  fuser_loop.for %i to (1) in_turn {
    fuser_loop.tile %y{%i} by 1 align 4 = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>

// The blocks of a cluster are adjacent. What always holds and what never does are constants.
// CHECK-LABEL: gpu.func @cluster(
// CHECK-DAG: %[[C:.*]] = gpu.cluster_id x
// CHECK-DAG: %[[B:.*]] = gpu.cluster_block_id x
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[M0:.*]] = arith.muli %[[C]], %c2
// CHECK: %[[N0:.*]] = arith.addi %[[M0]], %[[B]]
// CHECK: %[[M1:.*]] = arith.muli %[[N0]], %c32
// CHECK: %[[FIRST:.*]] = arith.addi %[[M1]], %[[T]]
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %c100 step %c320 {
// CHECK-NOT: cmpi
// CHECK: %[[AT:.*]] = arith.addi %c4, %[[I]]
// CHECK: memref.store %{{.*}}[%[[AT]]]
fuser_loop.kernel @cluster(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias, %v: f32 from #fuser_gpu.scalar<1>)
    stage guarded index_bits 32 threads [32, 1, 1] grid [5, 1, 1] cluster 2 {
  fuser_loop.for %i to (100) in_turn {
    %yes = fuser_loop.holds (3 < 4)
    %no = fuser_loop.holds (4 < 4)
    fuser_loop.tile %y{%yes * 4 + %no * 8 + %i} by 1 align 4 = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
  }
}
