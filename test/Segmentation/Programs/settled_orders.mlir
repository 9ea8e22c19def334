// RUN: fuser-explain %s --program=stats --sizes=64x256x32x32 | FileCheck %s --check-prefix=STATS
// RUN: fuser-explain %s --program=softmax --sizes=4096x4096,4096x4096 | FileCheck %s --check-prefix=SOFTMAX
// RUN: fuser-explain %s --program=add --sizes=4096x4096,4096x4096 | FileCheck %s --check-prefix=ADD
// RUN: fuser-explain %s --program=tie --sizes=4096x4096,4096x4096,4096x4096 | FileCheck %s --check-prefix=TIE
// RUN: fuser-run %s --device=host --check --program=stats --sizes=3x40x5x7 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --check --program=stats --sizes=2x1x4x0 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=64x33,64x33 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=1x5,1x5 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --check --program=softmax_required --sizes=64x33,64x33 | FileCheck %s --check-prefix=REQUIRED
// RUN: fuser-run %s --device=host --check --program=tie --sizes=64x48,64x48,64x48 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --check --program=tie --sizes=1x3,1x3,1x3 | FileCheck %s --check-prefix=NUMBERS
// S0.3, S0.6, S0.7: orders that nothing determines are those that schedulers prefer.

// NUMBERS: check {{.*}} ok
// NUMBERS-NOT: WRONG
// REQUIRED: strides [33, 1]
// REQUIRED: check {{.*}} ok

// The mean over W of a channels-last tensor is stored channels-last: its kernel writes whole vectors, and the next one reads
// them as its other operand.
// STATS: 2 kernels
// STATS: @stats_0: reduction
// STATS: settled
// STATS: @stats_1: pointwise
// STATS: settled
// STATS: layouts of the host function
// STATS: %{{[0-9]}} frozen [0, 2, 1]
fuser.fusion @stats(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %s = fuser.sum %x dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %t = fuser.segment_set %s : tensor<?x?x?xf32>
  %b = fuser.broadcast %t dims [3] : tensor<?x?x?xf32> -> tensor<?x?x?x1xf32>
  %r = fuser.sub %x, %b : (tensor<?x?x?x?xf32>, tensor<?x?x?x1xf32>) -> tensor<?x?x?x?xf32>
  fuser.return %r : tensor<?x?x?x?xf32>
}

// The arguments are equally large: the general rules have no order. The persistent scheduler prefers the columns, which the
// softmax normalizes, as rows of memory: 2 kernels instead of 3.
// SOFTMAX: 2 kernels
// SOFTMAX: inner_persistent
// SOFTMAX: scheduler-inner_persistent
fuser.fusion @softmax(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %z = fuser.add %x, %y : tensor<?x?xf32>
  %0 = fuser.max %z dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %z, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}

// Not where the output is required in the other order.
fuser.fusion @softmax_required(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]} {
  %z = fuser.add %x, %y : tensor<?x?xf32>
  %0 = fuser.max %z dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %z, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// S0: two inputs of one size in different orders, without a norm: no hint, and row-major.
// ADD: output 0 default [0, 1] stored in this order
// ADD: layouts of the host function
// ADD: output 0 default [0, 1] stored in this order
fuser.fusion @add(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %z = fuser.add %x, %y : tensor<?x?xf32>
  fuser.return %z : tensor<?x?xf32>
}

// The first kernel transposes one argument whatever the order of its result, so that the second need not transpose at all.
// TIE: @tie_0: transpose
// TIE: @tie_1: pointwise
// TIE: layouts of the host function
// TIE: %{{[0-9]}} frozen [1, 0]
fuser.fusion @tie(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>, #fuser.layout<order = [1, 0]>]} {
  %z = fuser.add %x, %y : tensor<?x?xf32>
  %t = fuser.segment_set %z : tensor<?x?xf32>
  %r = fuser.mul %t, %w : tensor<?x?xf32>
  fuser.return %r : tensor<?x?xf32>
}
