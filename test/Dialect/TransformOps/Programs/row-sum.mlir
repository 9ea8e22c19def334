// RUN: fuser-run %s --device=host --check --sizes=5x1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x4100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x0 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Sums of rows, a block for each: a thread adds up vectors, each lane on its own (rfactor), then lanes, then the block.

// CHECK: check {{.*}} ok
// IR: gpu.func @row_sum_0{{.*}}known_block_size = array<i32: 128, 1, 1>
// IR: vector.load
// IR: gpu.shuffle
fuser.fusion @row_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @row_sum_0 in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.add_facts %kernel [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>] : !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %sum = transform.fuser.match ["fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op
    // [rows, columns / 512, 128, 4]
    transform.fuser.split %sum at 1 by 4 : !transform.any_op
    transform.fuser.split %sum at 1 by 128 : !transform.any_op
    transform.fuser.parallelize %sum at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %sum at 2 as thread_x : !transform.any_op
    transform.fuser.parallelize %sum at 3 as vectorize : !transform.any_op
    transform.fuser.propagate %sum to %x : !transform.any_op, !transform.any_op
    %partial = transform.fuser.rfactor %sum at 2 : (!transform.any_op) -> !transform.any_op
    // What is left of the sum adds up the threads' sums: [rows, 128].
    transform.fuser.parallelize %sum at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %sum at 1 as thread_x : !transform.any_op
    transform.fuser.propagate %sum to %y : !transform.any_op, !transform.any_op
    transform.fuser.inline_most %kernel : !transform.any_op
    transform.yield
  }
}
