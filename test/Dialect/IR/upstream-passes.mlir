// RUN: fuser-opt %s --canonicalize --cse --symbol-dce --remove-dead-values --canonicalize --cse | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse --symbol-dce --remove-dead-values > %t.once
// RUN: fuser-opt %t.once --canonicalize --cse --symbol-dce --remove-dead-values | diff - %t.once
// Upstream passes leave scheduled ops, fusions, kernels and host functions alone; what has no schedule is merged and erased.

// Two scheduled ops of equal attributes are two ops, and an unused one stays; so does an unused argument.
// CHECK-LABEL: fuser.kernel @scheduled(%x: tensor<?x8xf32>, %unused: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>]
fuser.kernel @scheduled(%x: tensor<?x8xf32>, %unused: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
    attributes {facts = [#fuser.fact<divisible 0[1], 8>]} {
  // CHECK-NEXT: %[[A:.*]] = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x], allocation = [i0, i1]>], memory = #fuser.memory<global>}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x]>]} : tensor<?x8xf32>
  // CHECK-NEXT: %[[B:.*]] = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x], allocation = [i0, i1]>], memory = #fuser.memory<global>}
  %1 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x]>]} : tensor<?x8xf32>
  // CHECK-NEXT: fuser.exp %{{.*}} {inline_at = 1 : i64}
  %2 = fuser.exp %1 {inline_at = 1 : i64} : tensor<?x8xf32>
  // CHECK-NEXT: fuser.sum %{{.*}} dims [1] {memory = #fuser.memory<shared>}
  %3 = fuser.sum %1 dims [1] {memory = #fuser.memory<shared>} : tensor<?x8xf32> -> tensor<?xf32>
  // CHECK-NEXT: fuser.return %[[A]], %[[B]]
  fuser.return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
}

// A mark is never merged or erased, scheduled or not.
// CHECK-LABEL: fuser.fusion @marks
fuser.fusion @marks(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-NEXT: %[[A:.*]] = fuser.segment_set %x
  // CHECK-NEXT: %[[B:.*]] = fuser.segment_set %x
  // CHECK-NEXT: fuser.segment_set %x
  // CHECK-NEXT: fuser.add %[[A]], %[[B]]
  %0 = fuser.segment_set %x : tensor<?xf32>
  %1 = fuser.segment_set %x : tensor<?xf32>
  %2 = fuser.segment_set %x : tensor<?xf32>
  %3 = fuser.add %0, %1 : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @unscheduled
// CHECK-SAME: output_orders = [array<i64: 0>]
fuser.fusion @unscheduled(%x: tensor<?xf32>, %unused: f32) -> tensor<?xf32> attributes {output_orders = [array<i64: 0>]} {
  // CHECK-NEXT: %[[E:.*]] = fuser.exp %x
  // CHECK-NEXT: %[[S:.*]] = fuser.add %[[E]], %[[E]]
  // CHECK-NEXT: fuser.return %[[S]]
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.exp %x : tensor<?xf32>
  %2 = fuser.log %x : tensor<?xf32>
  %3 = fuser.add %0, %1 : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// CHECK-LABEL: fuser.host @host(%x: tensor<?x8xf32>, %y: tensor<?xf32>)
fuser.host @host(%x: tensor<?x8xf32>, %y: tensor<?xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  // CHECK: %[[P:.*]] = fuser.alloc
  // CHECK: %[[Q:.*]] = fuser.alloc
  // CHECK: fuser.launch @scheduled
  // CHECK: fuser.free
  %0 = fuser.alloc(%n) : tensor<?x8xf32>
  %1 = fuser.alloc(%n) : tensor<?x8xf32>
  %2:2 = fuser.launch @scheduled ins(%x, %y : tensor<?x8xf32>, tensor<?xf32>) outs(%0, %1 : tensor<?x8xf32>, tensor<?x8xf32>)
      -> tensor<?x8xf32>, tensor<?x8xf32>
  fuser.free %2#1 : tensor<?x8xf32>
  fuser.return %2#0 : tensor<?x8xf32>
}

// A call in a foreign function stays.
// CHECK-LABEL: func.func @caller
func.func @caller(%x: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  // CHECK: fuser.call @unscheduled(%arg0, %arg1) : (tensor<?xf32>, f32) -> tensor<?xf32>
  %0 = fuser.call @unscheduled(%x, %s) : (tensor<?xf32>, f32) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
