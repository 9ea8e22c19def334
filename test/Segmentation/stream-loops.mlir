// RUN: fuser-opt %s --fuser-phase-preseg --fuser-phase-segmentation | FileCheck %s
// S4.8: ops with one stream share a host loop whose body launches on the parts of an iteration; a value that only the same
// iteration reads is allocated in it, every other one before it.

// Case (i): another stream reads all of %1, so that it is allocated before both loops, whole.
// CHECK-LABEL: fuser.host @case_i
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK: %[[T1:.*]] = fuser.alloc() : tensor<4x8xf32>
// CHECK: fuser.for %[[I:.*]] to %{{.*}} streams 4 {
// CHECK-DAG: %[[IN:.*]] = fuser.view %[[X]] [%[[I]], 0] [1, 8] : tensor<4x8xf32> -> tensor<1x8xf32>
// CHECK-DAG: %[[OUT:.*]] = fuser.view %[[T1]] [%[[I]], 0] [1, 8] : tensor<4x8xf32> -> tensor<1x8xf32>
// CHECK: fuser.launch @case_i_0_0 ins(%[[IN]], %[[OUT]] : {{.*}}) outs(%[[OUT]] : tensor<1x8xf32>)
// CHECK: }
// CHECK: %[[T2:.*]] = fuser.alloc() : tensor<4x8xf32>
// CHECK: fuser.for %[[J:.*]] to %{{.*}} streams 8 {
// CHECK-DAG: %[[IN:.*]] = fuser.view %[[T1]] [0, %[[J]]] [4, 1]
// CHECK-DAG: %[[OUT:.*]] = fuser.view %[[T2]] [0, %[[J]]] [4, 1]
// CHECK: fuser.launch @case_i_1_0 {{.*}} outs(%[[OUT]] : tensor<4x1xf32>)
// CHECK: }
// CHECK: fuser.free %[[T1]]
// CHECK: fuser.return %[[T2]]
fuser.fusion @case_i(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @stream], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %2 : tensor<4x8xf32>
}

// Case (ii): all ops run over one stream: one loop, and %1 lives inside of it. The host computes sizes before it.
// CHECK-LABEL: fuser.host @case_ii
// CHECK-NOT: fuser.alloc
// CHECK: fuser.alloc({{.*}}) : tensor<6x?xf32>
// CHECK: fuser.alloc({{.*}}) : tensor<6x?x?xf32>
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for %[[I:.*]] to %{{.*}} streams 2 {
// CHECK: %[[OFFSET:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK: fuser.view %{{.*}} [%[[OFFSET]], 0, 0] [3, %{{.*}}, %{{.*}}] : tensor<6x?x?xf32> -> tensor<3x?x?xf32>
// CHECK: fuser.view %{{.*}} [%[[OFFSET]], 0] [3, %{{.*}}] : tensor<6x?xf32> -> tensor<3x?xf32>
// CHECK: fuser.launch
// CHECK-NOT: fuser.for
// CHECK: fuser.return
fuser.fusion @case_ii(%0: tensor<6x?x?xf32>) -> (tensor<6x?xf32>, tensor<6x?x?xf32>) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %1 = fuser.add %0, %one {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x?x?xf32>, f32) -> tensor<6x?x?xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, r2], allocation = [i0, i1]>]} : tensor<6x?x?xf32> -> tensor<6x?xf32>
  %3 = fuser.mul %1, %half {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x?x?xf32>, f32) -> tensor<6x?x?xf32>
  fuser.return %2, %3 : tensor<6x?xf32>, tensor<6x?x?xf32>
}

// A boundary between kernels of one loop is a buffer of one iteration.
// CHECK-LABEL: fuser.host @boundary
// CHECK: fuser.alloc() : tensor<6x8xf32>
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for
// CHECK: %[[PART:.*]] = fuser.alloc() : tensor<3x8xf32>
// CHECK: %[[R:.*]] = fuser.launch @boundary_0_0 {{.*}} outs(%[[PART]] : tensor<3x8xf32>)
// CHECK: fuser.launch @boundary_0_1 ins({{.*}}%[[R]] : {{.*}})
// CHECK: fuser.free %[[R]]
// CHECK: }
// CHECK: fuser.return
fuser.fusion @boundary(%0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  fuser.return %3 : tensor<6x8xf32>
}

// Case (iii): the sum runs over another stream, so that %1 is allocated before the loops; the product shares the loop of
// the addition.
// CHECK-LABEL: fuser.host @case_iii
// CHECK: %[[T1:.*]] = fuser.alloc({{.*}}) : tensor<6x4x?xf32>
// CHECK: fuser.alloc({{.*}}) : tensor<6x4x?xf32>
// CHECK: fuser.for {{.*}} streams 2
// CHECK: fuser.view %[[T1]] [%{{.*}}, 0, 0] [3, 4, %{{.*}}]
// CHECK: }
// CHECK: fuser.alloc() : tensor<6x4xf32>
// CHECK: fuser.for {{.*}} streams 2
// CHECK: fuser.view %[[T1]] [0, %{{.*}}, 0] [6, 2, %{{.*}}]
// CHECK: }
// CHECK: fuser.free %[[T1]]
fuser.fusion @case_iii(%0: tensor<6x4x?xf32>) -> (tensor<6x4xf32>, tensor<6x4x?xf32>) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %1 = fuser.add %0, %one {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x4x?xf32>, f32) -> tensor<6x4x?xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], split(i1, outer 2) -> (i3, i4),
      loop = [i3 @stream, i0, i4, r2], allocation = [i0, i1]>]} : tensor<6x4x?xf32> -> tensor<6x4xf32>
  %3 = fuser.mul %1, %half {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x4x?xf32>, f32) -> tensor<6x4x?xf32>
  fuser.return %2, %3 : tensor<6x4xf32>, tensor<6x4x?xf32>
}

// Case (iv) on a mesh of one device: a stream over the columns.
// CHECK-LABEL: fuser.host @case_iv
// CHECK: fuser.for {{.*}} streams 3
// CHECK: fuser.view %{{.*}} [0, %{{.*}}] [4, 2] : tensor<4x6xf32> -> tensor<4x2xf32>
fuser.fusion @case_iv(%0: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {mesh = #fuser.mesh<device_x = 1>} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 1) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @device_x, i3, i4 @stream, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// Case (v) on a mesh of one device, with the images over streams: the buffer stays channels-last, and so does each part.
// CHECK-LABEL: fuser.host @case_v
// CHECK: fuser.alloc({{.*}}) order [0, 2, 3, 1] : tensor<2x8x?x?xf32>
// CHECK: fuser.for {{.*}} streams 2
// CHECK: fuser.view %{{.*}} [%{{.*}}, 0, 0, 0] [1, 8, %{{.*}}, %{{.*}}]
fuser.fusion @case_v(%0: tensor<2x8x?x?xf32>) -> tensor<2x8x?x?xf32> attributes {mesh = #fuser.mesh<device_x = 1>} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1, i2, i3], split(i1, outer 1) -> (i4, i5),
      loop = [i0 @stream, i4 @device_x, i5, i2, i3], allocation = [i0, i2, i3, i1]>]} : tensor<2x8x?x?xf32>
  fuser.return %1 : tensor<2x8x?x?xf32>
}

// A dynamic size that streams split: the call is checked.
// CHECK-LABEL: fuser.host @dynamic
// CHECK-SAME: facts = [#fuser.fact<divisible 0[0], 4>]
// CHECK: fuser.for {{.*}} streams 4
fuser.fusion @dynamic(%0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 4) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// Parts of a fixed size: as many iterations as there are, on as many streams as GPUs have queues.
// CHECK-LABEL: fuser.host @fixed_parts
// CHECK-SAME: facts = [#fuser.fact<divisible 0[0], 4>]
// CHECK: fuser.for {{.*}} streams 8
// CHECK: fuser.view %{{.*}} [%{{.*}}, 0] [4, %{{.*}}] : tensor<?x?xf32> -> tensor<4x?xf32>
fuser.fusion @fixed_parts(%0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// What lies outside of loops runs between them, and reads whole buffers.
// CHECK-LABEL: fuser.host @between
// CHECK: fuser.launch @between_0_0
// CHECK: fuser.for
// CHECK: fuser.launch @between_1_0
// CHECK: }
// CHECK: fuser.launch @between_2_0
fuser.fusion @between(%0: tensor<4x8xf32>) -> tensor<8xf32> {
  %1 = fuser.max %0 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %3 = fuser.sub %0, %2 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %4 = fuser.sum %3 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  fuser.return %4 : tensor<8xf32>
}

// An argument that an output overwrites is written last: iterations may read it.
// CHECK-LABEL: fuser.host @update
// CHECK: fuser.for
// CHECK: }
// CHECK: fuser.copy %{{.*}} into %arg0
fuser.fusion @update(%0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %1 : tensor<4x8xf32>
}

// Two streams of one loop domain are nested loops: %1 is live in one iteration of the inner one, the buffer of the output is
// outside of both. The streams of the inner loop are part of the 8 of the nest.
// CHECK-LABEL: fuser.host @nested
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32>)
// CHECK: %[[OUT:.*]] = fuser.alloc() : tensor<4x6xf32>
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for %[[I:.*]] to %{{.*}} streams 2 {
// CHECK-DAG: %[[ROWS:.*]] = arith.muli %[[I]]
// CHECK-DAG: %[[XI:.*]] = fuser.view %[[X]] [%[[ROWS]], 0] [2, 6] : tensor<4x6xf32> -> tensor<2x6xf32>
// CHECK-DAG: %[[OUTI:.*]] = fuser.view %[[OUT]] [%[[ROWS]], 0] [2, 6] : tensor<4x6xf32> -> tensor<2x6xf32>
// CHECK: fuser.for %[[J:.*]] to %{{.*}} streams 3 {
// CHECK-DAG: %[[XIJ:.*]] = fuser.view %[[XI]] [0, %{{.*}}] [2, 2] : tensor<2x6xf32> -> tensor<2x2xf32>
// CHECK-DAG: %[[OUTIJ:.*]] = fuser.view %[[OUTI]] [0, %{{.*}}] [2, 2] : tensor<2x6xf32> -> tensor<2x2xf32>
// CHECK: fuser.launch @nested_0_0_0 {{.*}} outs(%[[OUTIJ]] : tensor<2x2xf32>)
// CHECK-NOT: fuser.copy
// CHECK: fuser.return %[[OUT]]
fuser.fusion @nested(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}

// The sum is in the outer loop only: it reads the rows of an iteration of it, so that these are a buffer of that iteration,
// outside of the inner loop.
// CHECK-LABEL: fuser.host @partly_nested
// CHECK: fuser.alloc() : tensor<4xf32>
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for {{.*}} streams 2 {
// CHECK: %[[ROWS:.*]] = fuser.alloc() : tensor<2x6xf32>
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for {{.*}} streams 3 {
// CHECK: fuser.view %[[ROWS]] [0, %{{.*}}] [2, 2]
// CHECK: fuser.launch @partly_nested_0_0_0
// CHECK: }
// CHECK: fuser.launch @partly_nested_0_1_0 ins({{.*}}%[[ROWS]]
// CHECK: fuser.free %[[ROWS]]
// CHECK: }
fuser.fusion @partly_nested(%0: tensor<4x6xf32>) -> tensor<4xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @stream, i3, r1], allocation = [i0]>]} : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %2 : tensor<4xf32>
}

// Streams of one dimension, the inner one of the part of the outer one: the size has to be a multiple of both.
// CHECK-LABEL: fuser.host @parts_of_parts
// CHECK-SAME: facts = [#fuser.fact<divisible 0[0], 6>]
// CHECK: fuser.for {{.*}} streams 2 {
// CHECK: fuser.for {{.*}} streams 3 {
fuser.fusion @parts_of_parts(%0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i3, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i5, i1], allocation = [i0, i1]>]} : tensor<?x8xf32>
  fuser.return %1 : tensor<?x8xf32>
}

// A path through an op outside of loops cuts the loop: %1 has the streams of all its users, but two loops, so that its buffer is
// whole.
// CHECK-LABEL: fuser.host @cut
// CHECK: %[[T1:.*]] = fuser.alloc() : tensor<4x8xf32>
// CHECK: fuser.for
// CHECK: fuser.view %[[T1]]
// CHECK: }
// CHECK: fuser.launch @cut_1_0
// CHECK: fuser.for
// CHECK: fuser.view %[[T1]]
// CHECK: }
fuser.fusion @cut(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %3 = fuser.max %2 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  %4 = fuser.broadcast %3 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %5 = fuser.sub %1, %4 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  fuser.return %5 : tensor<4x8xf32>
}

// An argument that an output is stored in and that nothing reads is written by the iterations.
// CHECK-LABEL: fuser.host @into
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for
// CHECK: fuser.view %arg1 [
// CHECK: }
// CHECK-NOT: fuser.copy
// CHECK: fuser.return %arg1
fuser.fusion @into(%0: tensor<4x8xf32>, %1: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %2 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %2 : tensor<4x8xf32>
}

// The streams of a nest are those of the outer loop first.
// CHECK-LABEL: fuser.host @many
// CHECK: fuser.for {{.*}} streams 4 {
// CHECK: fuser.for {{.*}} streams 2 {
fuser.fusion @many(%0: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1 @stream], allocation = [i0, i1]>]} : tensor<4x16xf32>
  fuser.return %1 : tensor<4x16xf32>
}
