// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s
// The loop domains that the parameters of a pointwise kernel stand for.

// One dimension: blocks, threads, a vector; every value shares all loops with its user.
// CHECK-LABEL: fuser.kernel @flat
fuser.kernel @flat(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.pointwise<threads = 128, vector = 4>} {
  // CHECK: %[[X:.*]] = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4), split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize], allocation = [i0, i1]>], inline_at = 3 : i64}
  // CHECK: %[[R:.*]] = fuser.relu %[[X]] {domains = {{.*}}, inline_at = 3 : i64}
  %0 = fuser.relu %x : tensor<?x?xf32>
  // CHECK: %[[O:.*]] = fuser.set %[[R]] {{.*}}memory = #fuser.memory<global>
  // CHECK: fuser.return %[[O]]
  fuser.return %0 : tensor<?x?xf32>
}

// Rows on the second axis; the operand per column has a place for them, the one per row ends there.
// CHECK-LABEL: fuser.kernel @rows
fuser.kernel @rows(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.pointwise<vector = 2, unroll = 4, inner_dims = 1>} {
  // CHECK: fuser.set %x {{.*}}loop = [i0 @block_y, i6 @block_x, i7 @unroll, i5 @thread_x, i3 @vectorize]{{.*}}inline_at = 2
  // CHECK: fuser.set %b {{.*}}loop = [b7 @block_y, i5 @block_x, i6 @unroll, i4 @thread_x, i2 @vectorize]{{.*}}inline_at = 2
  // CHECK: fuser.set %s {{.*}}loop = [i0 @block_y]{{.*}}inline_at = 1
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  // CHECK: fuser.add {{.*}}inline_at = 5
  %2 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.mul %2, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// One axis for rows and tiles, several rows per block.
// CHECK-LABEL: fuser.kernel @merged_grid
fuser.kernel @merged_grid(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.pointwise<threads = 32, rows = 4, inner_dims = 1, merge_grid = true>} {
  // CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x]
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// The required order of the output is the order of the loops, and of its allocation.
// CHECK-LABEL: fuser.kernel @ordered
fuser.kernel @ordered(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>],
    schedule = #fuser_sched.pointwise<vector = 4>} {
  // CHECK: fuser.set %x {{.*}}merge(i1, i0) -> i2
  %0 = fuser.relu %x : tensor<?x?xf32>
  // CHECK: fuser.set {{.*}}allocation = [i1, i0]>], memory = #fuser.memory<global>
  fuser.return %0 : tensor<?x?xf32>
}

// Parameters by hand bring the facts that they rely on.
// CHECK-LABEL: fuser.kernel @facts
// CHECK-SAME: facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]
fuser.kernel @facts(%x: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.pointwise<vector = 4>} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// A scalar has no loops.
// CHECK-LABEL: fuser.kernel @scalar
fuser.kernel @scalar(%x: tensor<f32>) -> tensor<f32> attributes {schedule = #fuser_sched.pointwise<>} {
  // CHECK: fuser.relu %{{.*}} {domains = [#fuser.domain<logical = [], loop = [], allocation = []>]
  %0 = fuser.relu %x : tensor<f32>
  fuser.return %0 : tensor<f32>
}
