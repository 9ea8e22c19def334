// RUN: fuser-run %s --device=host --check --sizes=45x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A transpose through swizzled tiles of 32 x 32 in shared memory: rows are read and rows are written, by 8 x 32 threads.

// CHECK: check {{.*}} ok
// IR: gpu.func @transpose_0{{.*}}known_block_size = array<i32: 32, 8, 1>
// IR: arith.xori
// IR: gpu.barrier
// IR: arith.xori
fuser.fusion @transpose(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.relu %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @transpose_0 in %module : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %tile = transform.fuser.cache_value %x[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %between = transform.fuser.match ["fuser.permute", "fuser.relu"] in %kernel : (!transform.any_op) -> !transform.any_op
    // Each of the two ways: [this / 32, that / 32, this % 32, that % 32].
    %all = transform.merge_handles %x, %tile, %y : !transform.any_op
    transform.fuser.split %all at 0 by 32 : !transform.any_op
    transform.fuser.split %all at 2 by 32 : !transform.any_op
    transform.fuser.reorder %all to [0, 2, 1, 3] : !transform.any_op
    transform.fuser.set_memory %tile to shared : !transform.any_op
    transform.fuser.allocate_loops %tile to [0, 1, 2, 3] : !transform.any_op
    transform.fuser.swizzle_allocation %tile at 2, 3 period 1 : !transform.any_op
    // What x calls rows, y calls columns: the blocks are the same.
    transform.fuser.reorder %y to [1, 0, 2, 3] : !transform.any_op
    transform.fuser.split %all at 2 by 8 : !transform.any_op
    transform.fuser.parallelize %all at 0 as block_y : !transform.any_op
    transform.fuser.parallelize %all at 1 as block_x : !transform.any_op
    transform.fuser.parallelize %all at 2 as unroll : !transform.any_op
    transform.fuser.parallelize %all at 3 as thread_y : !transform.any_op
    transform.fuser.parallelize %all at 4 as thread_x : !transform.any_op
    transform.fuser.propagate %y to %between : !transform.any_op, !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [2] : !transform.any_op, !transform.any_op
    transform.yield
  }
}
