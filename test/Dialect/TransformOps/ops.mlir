// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// Every op in its pretty form, read from both forms. The examples in the descriptions of the ops are lines of this folder.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: transform.named_sequence @find
  transform.named_sequence @find(%module: !transform.any_op {transform.readonly}) {
    // CHECK: %[[K:.*]] = transform.fuser.get_kernel @softmax_0 in %{{.*}} : (!transform.any_op) -> !transform.any_op
    %kernel = transform.fuser.get_kernel @softmax_0 in %module : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.match ["fuser.max", "fuser.sum"] in %[[K]] : (!transform.any_op) -> !transform.any_op
    %sums = transform.fuser.match ["fuser.max", "fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.match ["fuser.set"] in %[[K]] : (!transform.any_op) -> !transform.op<"fuser.set">
    %set = transform.fuser.match ["fuser.set"] in %kernel : (!transform.any_op) -> !transform.op<"fuser.set">
    // CHECK: transform.fuser.get_output %[[K]][0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.get_producers all %{{.*}} : (!transform.any_op) -> !transform.any_op
    %before = transform.fuser.get_producers all %sums : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.get_producers %{{.*}} : (!transform.any_op) -> !transform.any_op
    %direct = transform.fuser.get_producers %sums : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.get_consumers all %{{.*}} : (!transform.any_op) -> !transform.any_op
    %behind = transform.fuser.get_consumers all %sums : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  // CHECK-LABEL: transform.named_sequence @loops
  transform.named_sequence @loops(%y: !transform.any_op {transform.readonly}, %x: !transform.any_op {transform.readonly},
                                  %tile: !transform.any_op {transform.readonly}) {
    // CHECK: transform.fuser.split %{{.*}} at 1 by 4 : !transform.any_op
    transform.fuser.split %y at 1 by 4 : !transform.any_op
    // CHECK: transform.fuser.split %{{.*}} at 0 by outer 2 : !transform.any_op
    transform.fuser.split %y at 0 by outer 2 : !transform.any_op
    // CHECK: transform.fuser.merge %{{.*}} at 0, 1 : !transform.any_op
    transform.fuser.merge %y at 0, 1 : !transform.any_op
    // CHECK: transform.fuser.reorder %{{.*}} to [1, 0, 2] : !transform.any_op
    transform.fuser.reorder %y to [1, 0, 2] : !transform.any_op
    // CHECK: transform.fuser.swizzle %{{.*}} at 0, 1 period 4 : !transform.any_op
    transform.fuser.swizzle %y at 0, 1 period 4 : !transform.any_op
    // CHECK: transform.fuser.resize %{{.*}} at 0 before 1 after 2 : !transform.any_op
    transform.fuser.resize %x at 0 before 1 after 2 : !transform.any_op
    // CHECK: transform.fuser.parallelize %{{.*}} at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_x : !transform.any_op
    // CHECK: transform.fuser.parallelize %{{.*}} at 2 as vectorize : !transform.any_op
    transform.fuser.parallelize %y at 2 as vectorize : !transform.any_op
    // CHECK: transform.fuser.set_memory %{{.*}} to shared : !transform.any_op
    transform.fuser.set_memory %tile to shared : !transform.any_op
    // CHECK: transform.fuser.pipeline %{{.*}} stages 4 : !transform.any_op
    transform.fuser.pipeline %tile stages 4 : !transform.any_op
    // CHECK: transform.fuser.pipeline %{{.*}} stages 4 by bulk : !transform.any_op
    transform.fuser.pipeline %tile stages 4 by bulk : !transform.any_op
    // CHECK: transform.fuser.pipeline %{{.*}} stages 4 by bulk role producer : !transform.any_op
    transform.fuser.pipeline %tile stages 4 by bulk role producer : !transform.any_op
    // CHECK: transform.fuser.pipeline %{{.*}} stages 4 by bulk role producer registers [40, 232] : !transform.any_op
    transform.fuser.pipeline %tile stages 4 by bulk role producer registers [40, 232] : !transform.any_op
    // CHECK: transform.fuser.store_by_bulk %{{.*}} : !transform.any_op
    transform.fuser.store_by_bulk %y : !transform.any_op
    // CHECK: transform.fuser.order_allocation %{{.*}} to [1, 0] : !transform.any_op
    transform.fuser.order_allocation %tile to [1, 0] : !transform.any_op
    // CHECK: transform.fuser.allocate_loops %{{.*}} to [0, 2, 1, 3] : !transform.any_op
    transform.fuser.allocate_loops %tile to [0, 2, 1, 3] : !transform.any_op
    // CHECK: transform.fuser.swizzle_allocation %{{.*}} at 2, 3 period 1 : !transform.any_op
    transform.fuser.swizzle_allocation %tile at 2, 3 period 1 : !transform.any_op
    // CHECK: transform.fuser.inline_at %{{.*}} at 2 : !transform.any_op
    transform.fuser.inline_at %x at 2 : !transform.any_op
    transform.yield
  }

  // CHECK-LABEL: transform.named_sequence @values
  transform.named_sequence @values(%kernel: !transform.any_op {transform.consumed}, %e: !transform.any_op {transform.readonly},
                                   %div: !transform.any_op {transform.readonly}, %mul: !transform.any_op {transform.readonly},
                                   %sum: !transform.any_op {transform.readonly}, %before: !transform.any_op {transform.readonly}) {
    // CHECK: %[[X:.*]] = transform.fuser.cache_load %[[K:.*]][0] : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.cache_load %[[K]][1] for %{{.*}} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %w = transform.fuser.cache_load %kernel[1] for %mul : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK: %[[Y:.*]] = transform.fuser.cache_store %[[K]][0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.cache_value %[[X]][0] : (!transform.any_op) -> !transform.any_op
    %tile = transform.fuser.cache_value %x[0] : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.cache_use %{{.*}}[1] : (!transform.any_op) -> !transform.any_op
    %weight = transform.fuser.cache_use %mul[1] : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.split_broadcasts %[[K]] : !transform.any_op
    transform.fuser.split_broadcasts %kernel : !transform.any_op
    // CHECK: transform.fuser.recompute %{{.*}} for %{{.*}} from %{{.*}} : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    %again = transform.fuser.recompute %e for %div from %x : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.recompute %{{.*}} for %{{.*}} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %more = transform.fuser.recompute %e for %div : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.rfactor %{{.*}} at 2 : (!transform.any_op) -> !transform.any_op
    %partial = transform.fuser.rfactor %sum at 2 : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.propagate %[[Y]] : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    // CHECK: transform.fuser.propagate %[[Y]] to %{{.*}} : !transform.any_op, !transform.any_op
    transform.fuser.propagate %y to %before : !transform.any_op, !transform.any_op
    // CHECK: transform.fuser.inline_most %[[K]] : !transform.any_op
    transform.fuser.inline_most %kernel : !transform.any_op
    // CHECK: transform.fuser.inline_most %[[K]] limit %[[X]] to [1] : !transform.any_op, !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [1] : !transform.any_op, !transform.any_op
    // CHECK: transform.fuser.inline_most %[[K]] limit %[[X]], %[[Y]] to [1, 2] : !transform.any_op, !transform.any_op, !transform.any_op
    transform.fuser.inline_most %kernel limit %x, %y to [1, 2] : !transform.any_op, !transform.any_op, !transform.any_op
    // CHECK: transform.fuser.inline_up_to %[[X]] at 1 : !transform.any_op
    transform.fuser.inline_up_to %x at 1 : !transform.any_op
    // CHECK: transform.fuser.decompose_variance %[[K]] : (!transform.any_op) -> !transform.any_op
    %means = transform.fuser.decompose_variance %kernel : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.decompose_means %{{.*}} : (!transform.any_op) -> !transform.any_op
    %sums = transform.fuser.decompose_means %means : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  // CHECK-LABEL: transform.named_sequence @schedules
  transform.named_sequence @schedules(%kernel: !transform.any_op {transform.consumed}, %x: !transform.any_op {transform.readonly}) {
    // CHECK: %[[R:.*]] = transform.fuser.get_consumers %{{.*}} : (!transform.any_op) -> !transform.any_op
    %readers = transform.fuser.get_consumers %x : (!transform.any_op) -> !transform.any_op
    // CHECK: transform.fuser.add_facts %[[K:.*]] [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>] : !transform.any_op
    transform.fuser.add_facts %kernel [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>] : !transform.any_op
    // CHECK: transform.fuser.choose %[[K]] : !transform.any_op
    transform.fuser.choose %kernel : !transform.any_op
    // CHECK: transform.fuser.choose %[[K]] with "inner_persistent" {sizes = "64,1024"} : !transform.any_op
    transform.fuser.choose %kernel with "inner_persistent" {sizes = "64,1024"} : !transform.any_op
    // CHECK: transform.fuser.choose %[[K]] {device = "h200"} : !transform.any_op
    transform.fuser.choose %kernel {device = "h200"} : !transform.any_op
    // CHECK: transform.fuser.choose %[[K]] using(#fuser_sched.pointwise<vector = 4>) : !transform.any_op
    transform.fuser.choose %kernel using(#fuser_sched.pointwise<vector = 4>) : !transform.any_op
    // CHECK: transform.fuser.launch_dependent %[[K]] : !transform.any_op
    transform.fuser.launch_dependent %kernel : !transform.any_op
    // CHECK: transform.fuser.launch_dependent %[[K]] early : !transform.any_op
    transform.fuser.launch_dependent %kernel early : !transform.any_op
    // CHECK: transform.fuser.apply %[[K]] : (!transform.any_op) -> !transform.any_op
    %scheduled = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
