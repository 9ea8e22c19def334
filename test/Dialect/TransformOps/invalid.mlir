// RUN: fuser-opt %s --split-input-file --verify-diagnostics --transform-interpreter
// One wrong number, handle or word for each: an error at the transform op in the words of what refused, and a note at the payload.

// A position behind the last loop.
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
    // expected-error @below {{'fuser.set' op expected the position of one of 2 loops, but got 2}}
    transform.fuser.split %x at 2 by 4 : !transform.any_op
    transform.yield
  }
}

// -----

// A position before the first.
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
    // expected-error @below {{'fuser.set' op expected the position of one of 2 loops, but got -1}}
    transform.fuser.split %x at -1 by 4 : !transform.any_op
    transform.yield
  }
}

// -----

// No factor.
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
    // expected-error @below {{'fuser.set' op expected a split factor of at least 1, but got 0}}
    transform.fuser.split %x at 0 by 0 : !transform.any_op
    transform.yield
  }
}

// -----

// A negative factor.
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
    // expected-error @below {{'fuser.set' op expected a split factor of at least 1, but got -3}}
    transform.fuser.split %x at 0 by outer -3 : !transform.any_op
    transform.yield
  }
}

// -----

// A loop that is bound.
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
    transform.fuser.parallelize %x at 0 as block_x : !transform.any_op
    // expected-error @below {{'fuser.set' op expected loop 0 to be serial before it is transformed, but got @block_x}}
    transform.fuser.split %x at 0 by 2 : !transform.any_op
    transform.yield
  }
}

// -----

// A loop merged with itself.
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
    // expected-error @below {{'fuser.set' op expected two different loops, but got 1 twice}}
    transform.fuser.merge %x at 1, 1 : !transform.any_op
    transform.yield
  }
}

// -----

// A reduction merged with what is none.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected loops 0 and 1 to be both reductions or both not, but loop 1 alone is one}}
    transform.fuser.merge %sum at 0, 1 : !transform.any_op
    transform.yield
  }
}

// -----

// An order that is no permutation.
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
    // expected-error @below {{'fuser.set' op expected an order of the positions 0 to 1, but got [0, 0]}}
    transform.fuser.reorder %x to [0, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// An order of too few.
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
    // expected-error @below {{'fuser.set' op expected an order of the positions 0 to 1, but got [0]}}
    transform.fuser.reorder %x to [0] : !transform.any_op
    transform.yield
  }
}

// -----

// No period.
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
    // expected-error @below {{'fuser.set' op expected a swizzle period of at least 1, but got 0}}
    transform.fuser.swizzle %x at 0, 1 period 0 : !transform.any_op
    transform.yield
  }
}

// -----

// A swizzle of three.
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
    transform.fuser.split %x at 1 by 3 : !transform.any_op
    // expected-error @below {{'fuser.set' op expected the swizzled loop 2 to have an extent that is a power of two, but got 3}}
    transform.fuser.swizzle %x at 0, 2 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// A loop made shorter.
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
    // expected-error @below {{'fuser.set' op expected a loop to be widened by at least 0 iterations, but got -1 and 0}}
    transform.fuser.resize %x at 0 before -1 after 0 : !transform.any_op
    transform.yield
  }
}

// -----

// Factors and amounts beyond 2^40.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %set = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a split factor of at most 2^40, but got 4611686018427387904}}
    transform.fuser.split %set at 0 by 4611686018427387904 : !transform.any_op
    transform.yield
  }
}

// -----

// Factors and amounts beyond 2^40.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %set = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a widening of at most 2^40, but got 4611686018427387904}}
    transform.fuser.resize %set at 0 before 0 after 4611686018427387904 : !transform.any_op
    transform.yield
  }
}

// -----

// Factors and amounts beyond 2^40.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %set = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a swizzle period of at most 2^40, but got 4611686018427387904}}
    transform.fuser.swizzle %set at 0, 1 period 4611686018427387904 : !transform.any_op
    transform.yield
  }
}

// -----

// A type twice.
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
    transform.fuser.parallelize %x at 0 as block_x : !transform.any_op
    // expected-error @below {{'fuser.set' op expected @block_x on one loop, but loop 0 has it}}
    transform.fuser.parallelize %x at 1 as block_x : !transform.any_op
    transform.yield
  }
}

// -----

// A vector outside of others.
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
    // expected-error @below {{'fuser.set' op expected @vectorize on the innermost loop, but got loop 0}}
    transform.fuser.parallelize %x at 0 as vectorize : !transform.any_op
    transform.yield
  }
}

// -----

// An output in registers.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  // expected-note @below {{when applied to this op}}
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{'fuser.set' op expected a returned value in global memory, but got 'register'}}
    transform.fuser.set_memory %y to register : !transform.any_op
    transform.yield
  }
}

// -----

// Stages of a copy in registers.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.set %x : tensor<?x?xf32>
  %2 = fuser.add %0, %1 {memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy (fuser.set) in shared memory to have stages}}
    transform.fuser.pipeline %sets stages 4 : !transform.any_op
    transform.yield
  }
}

// -----

// Fewer than no stages, and bulk copies with one.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected 0 to 64 stages, but got -1}}
    transform.fuser.pipeline %x stages -1 : !transform.any_op
    transform.yield
  }
}

// -----

// More than are written out before a loop.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected 0 to 64 stages, but got 65}}
    transform.fuser.pipeline %x stages 65 : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected at least 2 stages for bulk copies, but got 1}}
    transform.fuser.pipeline %x stages 1 by bulk : !transform.any_op
    transform.yield
  }
}

// -----

// A single stage as well.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<register>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy (fuser.set) in shared memory to have stages}}
    transform.fuser.pipeline %x stages 1 : !transform.any_op
    transform.yield
  }
}

// -----

// Only a copy to an output is stored.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a copy (fuser.set) to an output to be stored by bulk copies}}
    transform.fuser.store_by_bulk %x : !transform.any_op
    transform.yield
  }
}

// -----

// A producer begins bulk copies only.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected bulk copies ('by bulk') for a producer, which begins them}}
    transform.fuser.pipeline %x stages 2 role producer : !transform.any_op
    transform.yield
  }
}

// -----

// Registers of roles that there are not.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected a producer ('role producer') next to registers of roles}}
    transform.fuser.pipeline %x stages 2 by bulk registers [40, 232] : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.set' op expected two numbers of registers, of a thread of the producer and of another one, but got 1}}
    transform.fuser.pipeline %x stages 2 by bulk role producer registers [40] : !transform.any_op
    transform.yield
  }
}

// -----

// An order of other dimensions.
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
    // expected-error @below {{'fuser.set' op expected an order of 2 dimensions, but got [0, 2]}}
    transform.fuser.order_allocation %x to [0, 2] : !transform.any_op
    transform.yield
  }
}

// -----

// A reduction allocated.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected an order of the loops [0], which neither reduce nor stand for loops of other ops, but got [0, 1]}}
    transform.fuser.allocate_loops %sum to [0, 1] : !transform.any_op
    transform.yield
  }
}

// -----

// A place that the allocation lacks.
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
    // expected-error @below {{'fuser.set' op expected one of 2 positions of the allocation, but got 2}}
    transform.fuser.swizzle_allocation %x at 0, 2 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// One place twice.
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
    // expected-error @below {{'fuser.set' op expected two different positions of the allocation, but got 1 twice}}
    transform.fuser.swizzle_allocation %x at 1, 1 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// A position that is too far inside.
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
    // expected-error @below {{'fuser.set' op expected an inline position between 0 and 2, but got 3}}
    transform.fuser.inline_at %x at 3 : !transform.any_op
    transform.yield
  }
}

// -----

// A reduction shared.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected an inline position of at most 1, before the first reduction loop, but got 2}}
    transform.fuser.inline_at %sum at 2 : !transform.any_op
    transform.yield
  }
}

// -----

// Loops in an order that an inline position contradicts.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.inline_at %sum at 1 : !transform.any_op
    // expected-error @below {{'fuser.sum' op expected 'inline_at' to stop before the first reduction loop, but got 1}}
    transform.fuser.reorder %sum to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// A reduction loop that no transform made.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.sum' op expected a reduction loop made by a transform, but got loop 1}}
    transform.fuser.rfactor %sum at 1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// No reduction.
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
    // expected-error @below {{'fuser.set' op expected rfactor of a sum, prod, min or max}}
    transform.fuser.rfactor %x at 0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A reference that lacks a dimension.
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
    // expected-error @below {{'fuser.set' op expected every dimension to be one of the reference 'fuser.set', but dimension 1 is not}}
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// Two references.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{expected 'reference' to be one op, but got 2}}
    transform.fuser.propagate %sets : !transform.any_op
    transform.yield
  }
}

// -----

// A kernel where an op is wanted.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.split %kernel at 0 by 4 : !transform.any_op
    transform.yield
  }
}

// -----

// An op where a kernel is wanted.
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
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.set'}}
    transform.fuser.inline_most %x : !transform.any_op
    transform.yield
  }
}

// -----

// An argument that is not there.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected a tensor argument to cache, but got argument 7}}
    %l = transform.fuser.cache_load %kernel[7] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An output that is not there.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected one of 1 outputs to cache, but got output 1}}
    %l = transform.fuser.cache_store %kernel[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An output that is not there, to find.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected one of 1 outputs, but got output 1}}
    %l = transform.fuser.get_output %kernel[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A result that is not there.
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
    // expected-error @below {{expected one of 1 results, but got result 1}}
    %l = transform.fuser.cache_value %x[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An operand that is not there.
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
    // expected-error @below {{expected one of 1 operands that is a tensor, but got operand 1}}
    %l = transform.fuser.cache_use %x[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Users that read something else.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  // expected-note @below {{when applied to this op}}
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{expected users that read the first result of 'fuser.set', but 'fuser.set' does not}}
    %l = transform.fuser.recompute %x for %y : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// More than pointwise ops.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected pointwise ops alone between 'available' and the value, but got others}}
    %l = transform.fuser.recompute %sum for %y : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A fact about nothing.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected a fact of a dimension of a tensor argument, but got #fuser.fact<divisible 5[0], 4>}}
    transform.fuser.add_facts %kernel [#fuser.fact<divisible 5[0], 4>] : !transform.any_op
    transform.yield
  }
}

// -----

// A kernel that nothing launches.
// expected-note @below {{the kernel}}
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a launch of the kernel, but there is none}}
    transform.fuser.launch_dependent %kernel : !transform.any_op
    transform.yield
  }
}

// -----

// A scheduler that nobody knows.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected the name of a registered scheduler, but got 'best'}}
    transform.fuser.choose %kernel with "best" : !transform.any_op
    transform.yield
  }
}

// -----

// A kernel whose ops are scheduled.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected a kernel whose ops have no schedule yet, but @k has one}}
    transform.fuser.choose %kernel : !transform.any_op
    transform.yield
  }
}

// -----

// A scheduler that refuses.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op cannot be scheduled by 'transpose' [nothing-to-transpose]: expected tensors with two different fastest dimensions, but got one}}
    transform.fuser.choose %kernel with "transpose" : !transform.any_op
    transform.yield
  }
}

// -----

// Parameters that do not fit, when they are applied.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %kernel using(#fuser_sched.transpose<>) : !transform.any_op
    // expected-error @below {{'fuser.kernel' op cannot be scheduled by 'transpose' [nothing-to-transpose]}}
    %l = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Parameters out of their range.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %kernel using(#fuser_sched.pointwise<outer_dims = 2, repeats = 2>) : !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected at most 0 'outer_dims', but got 2}}
    %l = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A device that nobody knows.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{but got 'abacus'}}
    transform.fuser.choose %kernel {device = "abacus"} : !transform.any_op
    transform.yield
  }
}

// -----

// Sizes that do not fit.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.kernel' op expected 2 sizes for argument 0, but got '1,2,3'}}
    transform.fuser.choose %kernel {sizes = "1,2,3"} : !transform.any_op
    transform.yield
  }
}

// -----

// Parameters before they are chosen.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a kernel with parameters in 'schedule', but got none}}
    %l = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// No such kernel.
// expected-note @below {{in this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel' called @q, but got none}}
    %l = transform.fuser.get_kernel @q in %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// No such op.
// expected-note @below {{in this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op called one of ["fuser.max"], but got none}}
    %l = transform.fuser.match ["fuser.max"] in %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Parameters and a scheduler.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'transform.fuser.choose' op expected a scheduler to choose or parameters, but got both}}
    transform.fuser.choose %kernel with "pointwise" using(#fuser_sched.pointwise<>) : !transform.any_op
    transform.yield
  }
}

// -----

// Parameters of no scheduler.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'transform.fuser.choose' op expected parameters of a scheduler, but got 4}}
    transform.fuser.choose %kernel using(4) : !transform.any_op
    transform.yield
  }
}

// -----

// More handles than positions.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{'transform.fuser.inline_most' op expected one position for each of 1 handles, but got 0}}
    transform.fuser.inline_most %kernel limit %x to [] : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

// A type that there is not.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{expected a parallel type, but got 'warp'}}
    transform.fuser.parallelize %x at 0 as warp : !transform.any_op
    transform.yield
  }
}

// -----

// A memory that there is not.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{expected a memory type, but got 'texture'}}
    transform.fuser.set_memory %x to texture : !transform.any_op
    transform.yield
  }
}

// -----

// Negative numbers where they mean nothing.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{attribute 'argument' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    %l = transform.fuser.cache_load %kernel[-1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Loops for an op of another kernel.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.kernel @other(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %relu = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    %exp = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected ops of the kernel @k, but got one of another}}
    transform.fuser.propagate %relu to %exp : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

// Ops of two kernels at once.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.kernel @other(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %relu = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    %exp = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %relu, %exp : !transform.any_op
    // expected-error @below {{expected ops of the kernel @k, but got one of another}}
    transform.fuser.inline_up_to %both at 1 : !transform.any_op
    transform.yield
  }
}

// -----

// A limit for an op of another kernel.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.kernel @other(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    %relu = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    %exp = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected limited ops of the kernel, but got another}}
    transform.fuser.inline_most %kernel limit %exp to [1] : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

// A reader in another kernel.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.kernel @other(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %relu = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    %exp = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected users that read the first result of 'fuser.relu', but 'fuser.exp' does not}}
    %l = transform.fuser.recompute %relu for %exp : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An op outside of a kernel.
fuser.fusion @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %relu = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op of a 'fuser.kernel', but got one of another parent}}
    transform.fuser.propagate %relu : !transform.any_op
    transform.yield
  }
}

// -----

// A handle to an op of a kernel that a scheduler has scheduled since.
// expected-note @below {{ancestor payload op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{nested payload op}}
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{handle to invalidated ops}}
    %relu = transform.fuser.match ["fuser.relu"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %kernel : !transform.any_op
    // expected-note @below {{invalidated by this transform op}}
    %l = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{op uses a handle invalidated by a previously executed transform op}}
    transform.fuser.inline_up_to %relu at 1 : !transform.any_op
    transform.yield
  }
}
