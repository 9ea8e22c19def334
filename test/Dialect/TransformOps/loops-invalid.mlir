// RUN: fuser-opt %s -transform-interpreter -split-input-file -verify-diagnostics
// Loops that a transform before does not allow to change, and steps that no later one makes legal.

// An order that moves a vector outwards.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.fuser.parallelize %x at 1 as vectorize : !transform.any_op
    // expected-error @below {{'fuser.set' op expected the @vectorize loop to stay innermost, but got position 0}}
    transform.fuser.reorder %x to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// A reduction loop that takes its iterations from a dimension that is not reduced as well.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x8xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], swizzle(i0, r1, 1) -> (i2, r3), loop = [i2, r3]>]} : tensor<?x8xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected the kept loop to derive from reductions alone}}
    transform.fuser.rfactor %sum at 1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A swizzle of a loop that is reduced by one that is not.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.sum %x dims [1] {memory = #fuser.memory<global>} : tensor<?x8xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected swizzled loops that are both reduced or both not, but loop 1 is reduced and loop 0 is not}}
    transform.fuser.swizzle %op at 0, 1 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// And of one that is not by one that is.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.sum %x dims [1] {memory = #fuser.memory<global>} : tensor<?x8xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected swizzled loops that are both reduced or both not, but loop 1 is reduced and loop 0 is not}}
    transform.fuser.swizzle %op at 1, 0 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// Several iterations compute one element of a broadcast.
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?x1xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.broadcast %x dims [1] {memory = #fuser.memory<global>} : tensor<?xf32> -> tensor<?x1xf32>
  fuser.return %0 : tensor<?x1xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.broadcast"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.broadcast' op expected swizzled loops that are no broadcast, but loop 1 is one}}
    transform.fuser.swizzle %op at 1, 0 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// The places of a broadcast.
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?x1xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.broadcast %x dims [1] {memory = #fuser.memory<global>} : tensor<?xf32> -> tensor<?x1xf32>
  fuser.return %0 : tensor<?x1xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.broadcast"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.broadcast' op expected swizzled positions that are no broadcast, but position 1 is one}}
    transform.fuser.swizzle_allocation %op at 0, 1 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// An extent that the type states.
fuser.kernel @k(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8x6xf32>
  fuser.return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected the swizzled loop 1 to have an extent that is a power of two, but got 6}}
    transform.fuser.swizzle %op at 0, 1 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// And one that follows from the type and a split.
fuser.kernel @k(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8x12xf32>
  fuser.return %0 : tensor<8x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %op at 1 by outer 2 : !transform.any_op
    // expected-error @below {{'fuser.set' op expected the swizzled loop 2 to have an extent that is a power of two, but got 6}}
    transform.fuser.swizzle %op at 0, 2 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// Extents of the allocation.
fuser.kernel @k(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8x6xf32>
  fuser.return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected the swizzled position 1 to have an extent that is a power of two, but got 6}}
    transform.fuser.swizzle_allocation %op at 0, 1 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// A vector of six.
fuser.kernel @k(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8x6xf32>
  fuser.return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a @vectorize extent of 1, 2, 4, 8 or 16, but loop 1 has 6}}
    transform.fuser.parallelize %op at 1 as vectorize : !transform.any_op
    transform.yield
  }
}

// -----

// A vector that is too long.
fuser.kernel @k(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8x32xf32>
  fuser.return %0 : tensor<8x32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a @vectorize extent of 1, 2, 4, 8 or 16, but loop 1 has 32}}
    transform.fuser.parallelize %op at 1 as vectorize : !transform.any_op
    transform.yield
  }
}

// -----

// More threads than a block has.
fuser.kernel @k(%x: tensor<1025x6xf32>) -> tensor<1025x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<1025x6xf32>
  fuser.return %0 : tensor<1025x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a @thread_x extent of at most 1024, but loop 0 has 1025}}
    transform.fuser.parallelize %op at 0 as thread_x : !transform.any_op
    transform.yield
  }
}

// -----

// And in z.
fuser.kernel @k(%x: tensor<65x6xf32>) -> tensor<65x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<65x6xf32>
  fuser.return %0 : tensor<65x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a @thread_z extent of at most 64, but loop 0 has 65}}
    transform.fuser.parallelize %op at 0 as thread_z : !transform.any_op
    transform.yield
  }
}

// -----

// More blocks than a cluster has.
fuser.kernel @k(%x: tensor<9x6xf32>) -> tensor<9x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<9x6xf32>
  fuser.return %0 : tensor<9x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a @cluster_x extent of 1 to 8, but loop 0 has 9}}
    transform.fuser.parallelize %op at 0 as cluster_x : !transform.any_op
    transform.yield
  }
}

// -----

// More copies than an instruction cache holds.
fuser.kernel @k(%x: tensor<4097x6xf32>) -> tensor<4097x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<4097x6xf32>
  fuser.return %0 : tensor<4097x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a @unroll extent of at most 4096, but loop 0 has 4097}}
    transform.fuser.parallelize %op at 0 as unroll : !transform.any_op
    transform.yield
  }
}

// -----

// A copy with stages of what the kernel computes.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.exp %x : tensor<?x8xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.set %0 {memory = #fuser.memory<shared>} : tensor<?x8xf32>
  %2 = fuser.neg %1 {memory = #fuser.memory<global>} : tensor<?x8xf32>
  fuser.return %2 : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy of an argument of the kernel to have stages, but got one of what the kernel computes}}
    transform.fuser.pipeline %op stages 2 : !transform.any_op
    transform.yield
  }
}

// -----

// A copy with stages of what the kernel overwrites.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x8xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x8xf32>
  fuser.return %1 : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy of what the kernel does not write to have stages, but an output is stored over argument 0}}
    transform.fuser.pipeline %op stages 2 : !transform.any_op
    transform.yield
  }
}

// -----

// A copy with stages that leaves shared memory.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {fuser.stages = 2 : i64, memory = #fuser.memory<shared>} : tensor<?x8xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x8xf32>
  fuser.return %1 : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy with 2 stages to stay in shared memory, but got 'register'}}
    transform.fuser.set_memory %op to register : !transform.any_op
    transform.yield
  }
}

// -----

// A bulk store of an argument.
fuser.kernel @k(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8x6xf32>
  fuser.return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy of a value that the kernel computes to be stored by bulk copies, but got one of an argument}}
    transform.fuser.store_by_bulk %op : !transform.any_op
    transform.yield
  }
}

// -----

// A bulk store to what is no output.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?x8xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x8xf32>
  fuser.return %1 : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy to an output to be stored by bulk copies, but the kernel does not return it}}
    transform.fuser.store_by_bulk %op : !transform.any_op
    transform.yield
  }
}

// -----

// An output whose order the program relies on.
fuser.kernel @k(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<6x8xf32>
  fuser.return %0 : tensor<6x8xf32>
}
fuser.host @main(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = fuser.alloc() : tensor<6x8xf32>
  // expected-note @below {{the launch is here}}
  %1 = fuser.launch @k ins(%x : tensor<6x8xf32>) outs(%0 : tensor<6x8xf32>) -> tensor<6x8xf32>
  fuser.return %1 : tensor<6x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected output 0 in the order [0, 1] that its launch relies on, but got [1, 0]}}
    transform.fuser.order_allocation %op to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// Or its loops.
fuser.kernel @k(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<6x8xf32>
  fuser.return %0 : tensor<6x8xf32>
}
fuser.host @main(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = fuser.alloc() : tensor<6x8xf32>
  // expected-note @below {{the launch is here}}
  %1 = fuser.launch @k ins(%x : tensor<6x8xf32>) outs(%0 : tensor<6x8xf32>) -> tensor<6x8xf32>
  fuser.return %1 : tensor<6x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected output 0 in the order [0, 1] that its launch relies on, but got [1, 0]}}
    transform.fuser.allocate_loops %op to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// A kernel whose sizes contradict each other: the extent that is asked for has no value.
fuser.kernel @k(%x: tensor<4xf32>, %y: tensor<?xf32>, %z: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %0 = fuser.add %x, %y : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.add %y, %z : (tensor<?xf32>, tensor<5xf32>) -> tensor<5xf32>
  fuser.return %0, %1 : tensor<4xf32>, tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sums = transform.fuser.match ["fuser.add"] in %module : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %sums : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{'fuser.add' op expected equal extents of dimensions that it maps to one, but got 5 and 4}}
    transform.fuser.parallelize %a at 0 as thread_x : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<4x4xf32>, %y: tensor<?x4xf32>, %z: tensor<5x4xf32>) -> (tensor<4x4xf32>, tensor<5x4xf32>) {
  %0 = fuser.add %x, %y : (tensor<4x4xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.add %y, %z : (tensor<?x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  fuser.return %0, %1 : tensor<4x4xf32>, tensor<5x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sums = transform.fuser.match ["fuser.add"] in %module : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %sums : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{'fuser.add' op expected equal extents of dimensions that it maps to one, but got 5 and 4}}
    transform.fuser.swizzle %a at 0, 1 period 1 : !transform.any_op
    transform.yield
  }
}
