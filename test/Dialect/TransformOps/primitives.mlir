// RUN: fuser-opt %s --split-input-file --transform-interpreter | FileCheck %s
// What each op does to a kernel.

// Loops of one op, one step after the other.
// CHECK-LABEL: fuser.kernel @loops
// CHECK: split(i1, 4) -> (i2, i3), split(i0, outer 2) -> (i4, i5), merge(i4, i5) -> i6, swizzle(i2, i3, 4) -> (i7, i8), resize(i6, 1, 2) -> i9
// CHECK-SAME: loop = [i7 @thread_x, i9 @block_x, i8 @vectorize], allocation = [i0, i1]>
fuser.kernel @loops(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 1 by 4 : !transform.any_op
    transform.fuser.split %y at 0 by outer 2 : !transform.any_op
    transform.fuser.merge %y at 0, 1 : !transform.any_op
    transform.fuser.swizzle %y at 1, 2 period 4 : !transform.any_op
    transform.fuser.resize %y at 0 before 1 after 2 : !transform.any_op
    transform.fuser.reorder %y to [1, 0, 2] : !transform.any_op
    transform.fuser.parallelize %y at 1 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 0 as thread_x : !transform.any_op
    transform.fuser.parallelize %y at 2 as vectorize : !transform.any_op
    transform.yield
  }
}

// -----

// Where a value lives: shared memory, its dimensions turned; then as its loops are, swizzled, which loops do not follow.
// CHECK-LABEL: fuser.kernel @memory
// CHECK: fuser.set {{.*}}allocation = [i1, i0]>{{.*}}memory = #fuser.memory<shared>
// CHECK: fuser.set {{.*}}split(i1, 8) -> (i2, i3), swizzle(i2, i3, 1) -> (i4, i5), merge(i0, i2) -> i6, loop = [i6, i3], allocation = [i4, i0, i5]>
// CHECK-SAME: memory = #fuser.memory<global>
fuser.kernel @memory(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.set %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.fuser.set_memory %x to shared : !transform.any_op
    transform.fuser.set_memory %y to global : !transform.any_op
    transform.fuser.order_allocation %x to [1, 0] : !transform.any_op
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.allocate_loops %y to [1, 0, 2] : !transform.any_op
    transform.fuser.swizzle_allocation %y at 0, 2 period 1 : !transform.any_op
    transform.fuser.merge %y at 0, 1 : !transform.any_op
    transform.yield
  }
}

// -----

// A circular buffer, one that is none again, and two by bulk, one of which is filled by threads again. Producers are asked for, and
// are not any more, with numbers of registers.
// CHECK-LABEL: fuser.kernel @circular
// CHECK: fuser.set %x {fuser.stages = 4 : i64, memory = #fuser.memory<shared>}
// CHECK-NEXT: fuser.set %y {memory = #fuser.memory<shared>}
// CHECK-NEXT: fuser.set %rows {fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 232>, fuser.stages = 4 : i64, memory = #fuser.memory<shared>}
// CHECK-NEXT: fuser.set %strip {fuser.stages = 1 : i64, memory = #fuser.memory<shared>}
fuser.kernel @circular(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %rows: tensor<?x?xf32>, %strip: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.set %y : tensor<?x?xf32>
  %2 = fuser.set %rows : tensor<?x?xf32>
  %3 = fuser.set %strip : tensor<?x?xf32>
  %4 = fuser.add %0, %1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = fuser.add %2, %3 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %6 = fuser.mul %4, %5 {memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y, %rows, %strip = transform.split_handle %sets
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.fuser.set_memory %sets to shared : !transform.any_op
    transform.fuser.pipeline %sets stages 4 by bulk role producer registers [24, 240] : !transform.any_op
    transform.fuser.pipeline %x stages 4 : !transform.any_op
    transform.fuser.pipeline %y stages 0 : !transform.any_op
    transform.fuser.pipeline %rows stages 4 by bulk : !transform.any_op
    transform.fuser.pipeline %rows stages 4 by bulk role producer : !transform.any_op
    transform.fuser.pipeline %rows stages 4 by bulk role producer registers [40, 232] : !transform.any_op
    transform.fuser.pipeline %strip stages 1 : !transform.any_op
    transform.yield
  }
}

// -----

// Copies: of an argument, also for one reader alone; behind a value; before a use; of an output, which lies as is required.
// CHECK-LABEL: fuser.kernel @copies
// CHECK-NEXT: %[[X:.*]] = fuser.set %x : tensor<?x?xf32>
// CHECK-NEXT: %[[W:.*]] = fuser.set %w : tensor<?x?xf32>
// CHECK-NEXT: %[[M:.*]] = fuser.mul %[[X]], %[[W]]
// CHECK-NEXT: %[[B:.*]] = fuser.set %[[M]] : tensor<?x?xf32>
// CHECK-NEXT: %[[C:.*]] = fuser.set %w : tensor<?x?xf32>
// CHECK-NEXT: %[[A:.*]] = fuser.add %[[B]], %[[C]]
// CHECK-NEXT: %[[Y:.*]] = fuser.set %[[A]] {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i1, i0]>], memory = #fuser.memory<global>}
// CHECK-NEXT: fuser.return %[[Y]]
fuser.kernel @copies(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.mul %x, %w : tensor<?x?xf32>
  %1 = fuser.add %0, %w : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @copies in %module : (!transform.any_op) -> !transform.any_op
    %mul = transform.fuser.match ["fuser.mul"] in %kernel : (!transform.any_op) -> !transform.any_op
    %add = transform.fuser.match ["fuser.add"] in %kernel : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %w = transform.fuser.cache_load %kernel[1] for %mul : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %tile = transform.fuser.cache_value %mul[0] : (!transform.any_op) -> !transform.any_op
    %use = transform.fuser.cache_use %add[1] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Each reader its broadcast, each reduction its exponentials.
// CHECK-LABEL: fuser.kernel @again
// CHECK: %[[X:.*]] = fuser.set %x
// CHECK: fuser.broadcast %m
// CHECK: %[[E:.*]] = fuser.exp
// CHECK: fuser.sum %[[E]]
// CHECK: fuser.broadcast %m
// CHECK: %[[D:.*]] = fuser.sub %[[X]]
// CHECK: %[[F:.*]] = fuser.exp %[[D]]
// CHECK: fuser.neg %[[F]]
fuser.kernel @again(%x: tensor<?x?xf32>, %m: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.neg %3 : tensor<?x?xf32>
  fuser.return %4, %5 : tensor<?xf32>, tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @again in %module : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.match ["fuser.set"] in %kernel : (!transform.any_op) -> !transform.any_op
    %b = transform.fuser.match ["fuser.broadcast"] in %kernel : (!transform.any_op) -> !transform.any_op
    %e = transform.fuser.match ["fuser.exp"] in %kernel : (!transform.any_op) -> !transform.any_op
    %neg = transform.fuser.match ["fuser.neg"] in %kernel : (!transform.any_op) -> !transform.any_op
    %available = transform.merge_handles %x, %b : !transform.any_op
    %clone = transform.fuser.recompute %e for %neg from %available : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    transform.fuser.split_broadcasts %kernel : !transform.any_op
    transform.yield
  }
}

// -----

// Half of a sum, and the rest of it; loops for all others, and what they share.
// CHECK-LABEL: fuser.kernel @rows
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}loop = [i0 @block_x, i{{[0-9]+}}, i{{[0-9]+}} @thread_x]{{.*}}inline_at = 3
// CHECK: %[[P:.*]] = fuser.sum %[[X]] dims [1] {{.*}}-> tensor<?x32xf32>
// CHECK: %[[S:.*]] = fuser.sum %[[P]] dims [1]
// CHECK: fuser.set %[[S]]
fuser.kernel @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @rows in %module : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %sum = transform.fuser.match ["fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %sum at 1 by 32 : !transform.any_op
    transform.fuser.parallelize %sum at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %sum at 2 as thread_x : !transform.any_op
    transform.fuser.propagate %sum to %x : !transform.any_op, !transform.any_op
    %partial = transform.fuser.rfactor %sum at 2 : (!transform.any_op) -> !transform.any_op
    transform.fuser.inline_most %kernel : !transform.any_op
    transform.yield
  }
}

// -----

// Inline positions: as far as possible, up to a limit, by hand.
// CHECK-LABEL: fuser.kernel @inline
// CHECK: fuser.relu {{.*}}inline_at = 1
// CHECK: fuser.exp {{.*}}inline_at = 0
// CHECK: fuser.neg {{.*}}inline_at = 2
// CHECK: fuser.set
fuser.kernel @inline(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  %3 = fuser.set %2 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @inline in %module : (!transform.any_op) -> !transform.any_op
    %relu = transform.fuser.match ["fuser.relu"] in %kernel : (!transform.any_op) -> !transform.any_op
    %exp = transform.fuser.match ["fuser.exp"] in %kernel : (!transform.any_op) -> !transform.any_op
    transform.fuser.inline_most %kernel limit %relu to [1] : !transform.any_op, !transform.any_op
    transform.fuser.inline_up_to %exp at 1 : !transform.any_op
    transform.fuser.inline_at %exp at 0 : !transform.any_op
    transform.yield
  }
}

// -----

// Variance as two means; the handle that comes back is the kernel.
// CHECK-LABEL: fuser.kernel @variance
// CHECK-NOT: fuser.var_mean
// CHECK: fuser.mean
// CHECK: fuser.mean {{.*}}memory = #fuser.memory<global>
fuser.kernel @variance(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %variance, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %variance : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @variance in %module : (!transform.any_op) -> !transform.any_op
    %means = transform.fuser.decompose_variance %kernel : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.get_output %means[0] : (!transform.any_op) -> !transform.any_op
    transform.fuser.set_memory %y to global : !transform.any_op
    transform.yield
  }
}

// -----

// Means as sums that are divided. Sizes that are not known are multiplied, and converted once; the mean of half types stays.
// CHECK-LABEL: fuser.kernel @means
// CHECK-SAME: %{{.*}}, %[[Y:.*]]: tensor<?x4x?xf32>
// CHECK: fuser.sum
// CHECK: fuser.div %{{.*}}, %cst
// CHECK-DAG: %[[FIRST:.*]] = tensor.dim %[[Y]], %c0
// CHECK-DAG: %[[LAST:.*]] = tensor.dim %[[Y]], %c2
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[FIRST]], %[[LAST]]
// CHECK: %[[COUNT:.*]] = arith.muli %[[PRODUCT]], %c4
// CHECK: %[[INTEGER:.*]] = arith.index_cast %[[COUNT]]
// CHECK: %[[DIVISOR:.*]] = arith.sitofp %[[INTEGER]] : i64 to f32
// CHECK: %[[SUM:.*]] = fuser.sum
// CHECK: fuser.div %[[SUM]], %[[DIVISOR]]
// CHECK: fuser.mean {{.*}}memory = #fuser.memory<global>
fuser.kernel @means(%x: tensor<?x64xf32>, %y: tensor<?x4x?xf32>, %z: tensor<?x64xbf16>) -> (tensor<?xf32>, tensor<f32>, tensor<?xbf16>) {
  %0 = fuser.mean %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.mean %y dims [0, 1, 2] : tensor<?x4x?xf32> -> tensor<f32>
  %2 = fuser.mean %z dims [1] : tensor<?x64xbf16> -> tensor<?xbf16>
  fuser.return %0, %1, %2 : tensor<?xf32>, tensor<f32>, tensor<?xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @means in %module : (!transform.any_op) -> !transform.any_op
    %sums = transform.fuser.decompose_means %kernel : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.get_output %sums[2] : (!transform.any_op) -> !transform.any_op
    transform.fuser.set_memory %y to global : !transform.any_op
    transform.yield
  }
}

// -----

// The statistics of a softmax as one reduction.
// CHECK-LABEL: fuser.kernel @softmax_sum
// CHECK-NOT: fuser.exp
// CHECK: fuser.max_sum_exp {{.*}}memory = #fuser.memory<global>
fuser.kernel @softmax_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %max = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %wide = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %difference = fuser.sub %x, %wide : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %exp = fuser.exp %difference : tensor<?x?xf32>
  %sum = fuser.sum %exp dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %sum : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @softmax_sum in %module : (!transform.any_op) -> !transform.any_op
    %once = transform.fuser.compose_softmax_sums %kernel : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.get_output %once[0] : (!transform.any_op) -> !transform.any_op
    transform.fuser.set_memory %y to global : !transform.any_op
    transform.yield
  }
}

// -----

// Neighbours, near and all: what is before the sum is split, what is behind it lies in shared memory.
// CHECK-LABEL: fuser.kernel @neighbours
// CHECK: fuser.relu {{.*}}split
// CHECK: fuser.exp {{.*}}split(i{{[0-9]+}}, 2){{.*}}split(i{{[0-9]+}}, 4)
// CHECK: fuser.sum %{{.*}} dims [1] : tensor
// CHECK: fuser.neg {{.*}}memory = #fuser.memory<shared>
// CHECK: fuser.exp {{.*}}memory = #fuser.memory<shared>
// CHECK: fuser.set {{.*}}memory = #fuser.memory<global>
fuser.kernel @neighbours(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  %4 = fuser.exp %3 : tensor<?xf32>
  %5 = fuser.set %4 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %5 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    %before = transform.fuser.get_producers all %sum : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %before at 0 by 2 : !transform.any_op
    %exp = transform.fuser.get_producers %sum : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %exp at 2 by 4 : !transform.any_op
    %neg = transform.fuser.get_consumers %sum : (!transform.any_op) -> !transform.any_op
    %behind = transform.fuser.get_consumers all %sum : (!transform.any_op) -> !transform.any_op
    %a, %b, %c = transform.split_handle %behind : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.fuser.set_memory %neg to shared : !transform.any_op
    transform.fuser.set_memory %b to shared : !transform.any_op
    transform.yield
  }
}

// -----

// A failure that is suppressed leaves all ops as they were, also those before the one that refuses.
// CHECK-LABEL: fuser.kernel @unchanged
// CHECK: fuser.relu %x : tensor
// CHECK: fuser.exp %{{.*}} {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @block_x], allocation = [i0, i1]>]}
fuser.kernel @unchanged(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %exp = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %exp at 1 as block_x : !transform.any_op
    %both = transform.fuser.match ["fuser.relu", "fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.sequence %both : !transform.any_op failures(suppress) {
    ^bb0(%ops: !transform.any_op):
      transform.fuser.split %ops at 1 by 4 : !transform.any_op
    }
    transform.yield
  }
}

// -----

// Another scheduler where one refuses; a schedule that a scheduler made and a script changed.
// CHECK-LABEL: fuser.kernel @choose
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 64>
// CHECK: fuser.relu {{.*}}inline_at = 1
fuser.kernel @choose(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @choose in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %kernel : !transform.any_op
    transform.fuser.choose %kernel with "single_op" {device = "h200"} : !transform.any_op
    transform.fuser.choose %kernel using(#fuser_sched.pointwise<threads = 64>) : !transform.any_op
    %scheduled = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    %relu = transform.fuser.match ["fuser.relu"] in %scheduled : (!transform.any_op) -> !transform.any_op
    transform.fuser.inline_up_to %relu at 1 : !transform.any_op
    transform.yield
  }
}

// -----

// One of two kernels refused: neither has parameters, so that they may be asked for otherwise.
// CHECK-LABEL: fuser.kernel @straight
// CHECK-SAME: schedule = #fuser_sched.single_op
// CHECK-LABEL: fuser.kernel @turned
// CHECK-SAME: -> tensor<?x?xf32> {
fuser.kernel @straight(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
fuser.kernel @turned(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %straight = transform.fuser.get_kernel @straight in %module : (!transform.any_op) -> !transform.any_op
    %both = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %straight with "single_op" : !transform.any_op
    transform.sequence %both : !transform.any_op failures(suppress) {
    ^bb0(%kernels: !transform.any_op):
      transform.fuser.choose %kernels with "pointwise" : !transform.any_op
    }
    transform.yield
  }
}
