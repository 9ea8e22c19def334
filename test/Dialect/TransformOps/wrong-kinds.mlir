// RUN: fuser-opt %s --split-input-file --verify-diagnostics --transform-interpreter
// Ops of kernels on a value, and ops of values on a kernel.

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    %l = transform.fuser.get_output %t[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    %l = transform.fuser.cache_load %t[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    %l = transform.fuser.cache_store %t[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    transform.fuser.split_broadcasts %t : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    transform.fuser.inline_most %t : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    %l = transform.fuser.decompose_variance %t : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    transform.fuser.add_facts %t [#fuser.fact<aligned 0, 16>] : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    transform.fuser.choose %t : !transform.any_op
    transform.yield
  }
}

// -----

fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected a 'fuser.kernel', but got 'fuser.exp'}}
    %l = transform.fuser.apply %t : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.split %t at 0 by 4 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.merge %t at 0, 1 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.reorder %t to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.swizzle %t at 0, 1 period 4 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.resize %t at 0 before 1 after 2 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.parallelize %t at 0 as block_x : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.set_memory %t to shared : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.pipeline %t stages 4 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.order_allocation %t to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.allocate_loops %t to [0, 1] : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.swizzle_allocation %t at 0, 1 period 1 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.inline_at %t at 1 : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    %l = transform.fuser.cache_value %t[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    %l = transform.fuser.cache_use %t[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    %l = transform.fuser.recompute %t for %t : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    %l = transform.fuser.rfactor %t at 0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.propagate %t : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an op whose results have domains, but got 'fuser.kernel'}}
    transform.fuser.inline_up_to %t at 1 : !transform.any_op
    transform.yield
  }
}

// -----

// An output that is an argument.
// expected-note @below {{when applied to this op}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %x, %0 : tensor<?x?xf32>, tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.match ["fuser.kernel"] in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected an output that an op defines, but output 0 is an argument}}
    %l = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// No users to compute again for.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %t = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    %none = transform.fuser.get_consumers %t : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected at least one op in 'users', but got none}}
    %l = transform.fuser.recompute %t for %none : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A position before the first loop.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected positions of at least 0, but got -1}}
    transform.fuser.inline_most %module limit %module to [-1] : !transform.any_op, !transform.any_op
    transform.yield
  }
}
