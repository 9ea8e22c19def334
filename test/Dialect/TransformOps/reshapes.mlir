// RUN: fuser-opt %s --split-input-file --transform-interpreter | FileCheck %s
// Loops are replayed through reshapes, in each direction: what has a whole splits it, what has parts merges them.

// A split, from its consumer to its producer: what has the whole splits it.
// CHECK-LABEL: fuser.kernel @split_to_producer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0, i2 @thread_x, i3]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], split(i1, 4) -> (i2, i3), logical = [i0, i2, i3], loop = [i0, i2 @thread_x, i3]
// CHECK: fuser.neg {{.*}}logical = [i0, i1, i2], loop = [i0, i1 @thread_x, i2]
fuser.kernel @split_to_producer(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.neg %1 : tensor<?x3x4xf32>
  fuser.return %2 : tensor<?x3x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.neg"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %y at 1 as thread_x : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// The consumer merges the parts again: the producer has that as it is.
// CHECK-LABEL: fuser.kernel @split_to_producer_whole(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], split(i1, 8) -> (i2, i3), loop = [i0, i2, i3]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], split(i1, 4) -> (i2, i3), merge(i2, i3) -> i4, split(i4, 8) -> (i5, i6), logical = [i0, i2, i3], loop = [i0, i5, i6]
// CHECK: fuser.neg {{.*}}logical = [i0, i1, i2], merge(i1, i2) -> i3, split(i3, 8) -> (i4, i5), loop = [i0, i4, i5]
fuser.kernel @split_to_producer_whole(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.neg %1 : tensor<?x3x4xf32>
  fuser.return %2 : tensor<?x3x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.neg"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.merge %y at 1, 2 : !transform.any_op
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// A split, from its producer to its consumer: the parts are merged and split as the whole is.
// CHECK-LABEL: fuser.kernel @split_to_consumer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], split(i1, 8) -> (i2, i3), loop = [i0, i2, i3]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], split(i1, 4) -> (i2, i3), merge(i2, i3) -> i4, split(i4, 8) -> (i5, i6), logical = [i0, i2, i3], loop = [i0, i5, i6]
// CHECK: fuser.neg {{.*}}logical = [i0, i1, i2], merge(i1, i2) -> i3, split(i3, 8) -> (i4, i5), loop = [i0, i4, i5]
fuser.kernel @split_to_consumer(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.neg %1 : tensor<?x3x4xf32>
  fuser.return %2 : tensor<?x3x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// The producer splits as the reshape does: the consumer has the parts as they are.
// CHECK-LABEL: fuser.kernel @split_to_consumer_at_part(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0, i2, i3]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], split(i1, 4) -> (i2, i3), logical = [i0, i2, i3], loop = [i0, i2, i3]
// CHECK: fuser.neg {{.*}}logical = [i0, i1, i2], loop = [i0, i1, i2]
fuser.kernel @split_to_consumer_at_part(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.neg %1 : tensor<?x3x4xf32>
  fuser.return %2 : tensor<?x3x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 1 by 4 : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// A merge, from its consumer to its producer: the parts are merged and split as the whole is.
// CHECK-LABEL: fuser.kernel @merge_to_producer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1, i2], merge(i1, i2) -> i3, split(i3, 8) -> (i4, i5), loop = [i0, i4, i5]
// CHECK: fuser.reshape {{.*}}root = [i0, i1, i2], merge(i1, i2) -> i3, split(i3, 8) -> (i4, i5), logical = [i0, i3], loop = [i0, i4, i5]
// CHECK: fuser.neg {{.*}}logical = [i0, i1], split(i1, 8) -> (i2, i3), loop = [i0, i2, i3]
fuser.kernel @merge_to_producer(%x: tensor<?x3x4xf32>) -> tensor<?x12xf32> {
  %0 = fuser.exp %x : tensor<?x3x4xf32>
  %1 = fuser.reshape %0 : tensor<?x3x4xf32> -> tensor<?x12xf32>
  %2 = fuser.neg %1 : tensor<?x12xf32>
  fuser.return %2 : tensor<?x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.neg"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// A merge, from its producer to its consumer: what has the whole splits it.
// CHECK-LABEL: fuser.kernel @merge_to_consumer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1, i2], loop = [i0, i1, i2 @thread_x]
// CHECK: fuser.reshape {{.*}}root = [i0, i1, i2], merge(i1, i2) -> i3, split(i3, 4) -> (i4, i5), logical = [i0, i3], loop = [i0, i4, i5 @thread_x]
// CHECK: fuser.neg {{.*}}logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0, i2, i3 @thread_x]
fuser.kernel @merge_to_consumer(%x: tensor<?x3x4xf32>) -> tensor<?x12xf32> {
  %0 = fuser.exp %x : tensor<?x3x4xf32>
  %1 = fuser.reshape %0 : tensor<?x3x4xf32> -> tensor<?x12xf32>
  %2 = fuser.neg %1 : tensor<?x12xf32>
  fuser.return %2 : tensor<?x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %y at 2 as thread_x : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// Of dynamic sizes: they are merged.
// CHECK-LABEL: fuser.kernel @dynamic_merge_to_producer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), loop = [i3, i4]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), logical = [i2], loop = [i3, i4]
// CHECK: fuser.neg {{.*}}logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2]
fuser.kernel @dynamic_merge_to_producer(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.neg"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 0 by 8 : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// The producer has merged them: the consumer has that as it is.
// CHECK-LABEL: fuser.kernel @dynamic_merge_to_consumer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], merge(i0, i1) -> i2, logical = [i2], loop = [i2]
// CHECK: fuser.neg {{.*}}logical = [i0], loop = [i0]
fuser.kernel @dynamic_merge_to_consumer(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.merge %y at 0, 1 : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// Two splits of one dimension that neither op has: it is made, and split by the factors of the reference.
// CHECK-LABEL: fuser.kernel @other_factors_to_producer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 6) -> (i3, i4), loop = [i3, i4 @thread_x]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], merge(i0, i1) -> i2, split(i2, 6) -> (i3, i4), logical = [i3, i4], loop = [i3, i4 @thread_x]
// CHECK: fuser.neg {{.*}}logical = [i0, i1], loop = [i0, i1 @thread_x]
fuser.kernel @other_factors_to_producer(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
  %0 = fuser.exp %x : tensor<6x4xf32>
  %1 = fuser.reshape %0 : tensor<6x4xf32> -> tensor<4x6xf32>
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.neg"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %y at 1 as thread_x : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}

// -----

// From the producer too.
// CHECK-LABEL: fuser.kernel @other_factors_to_consumer(
// CHECK: fuser.exp {{.*}}logical = [i0, i1], loop = [i0, i1 @thread_x]
// CHECK: fuser.reshape {{.*}}root = [i0, i1], merge(i0, i1) -> i2, split(i2, 6) -> (i3, i4), merge(i3, i4) -> i5, split(i5, 4) -> (i6, i7), logical = [i3, i4], loop = [i6, i7 @thread_x]
// CHECK: fuser.neg {{.*}}logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4), loop = [i3, i4 @thread_x]
fuser.kernel @other_factors_to_consumer(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
  %0 = fuser.exp %x : tensor<6x4xf32>
  %1 = fuser.reshape %0 : tensor<6x4xf32> -> tensor<4x6xf32>
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %y at 1 as thread_x : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}
