// A dense layer by matrix instructions, whose operands a warp of its own copies: gelu(a * transpose(b) + bias) of bf16, with both
// operands stored along the sum. A block has 128 x 128 elements of the result, and 4 warps of 64 x 64 each. The boxes of 128 x 64
// elements that 64 steps of the sum need are copied to one of four stages by tensor maps, with the swizzle for which ldmatrix reads
// without bank conflicts. Sizes need not be multiples of the tile: a box has zeros beyond the operands.
//
//   fuser-run examples/schedules/matmul_tensor.mlir --sizes=512x256,512x256,512 --check
//   fuser-run examples/schedules/matmul_tensor.mlir --sizes=512x256,512x256,512 --dump-after=pipelined    # the copies
fuser.fusion @dense(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %bias: tensor<?xbf16>) -> tensor<?x?xbf16>
    attributes {fuser_sched.one_kernel} {
  %product = fuser.linear %a, %b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %bias_f = fuser.cast %bias : tensor<?xbf16> to tensor<?xf32>
  %bias_b = fuser.broadcast %bias_f dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %shifted = fuser.add %product, %bias_b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %active = fuser.gelu %shifted {approximate} : tensor<?x?xf32>
  %y = fuser.cast %active : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %y : tensor<?x?xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @dense_0 in %module : (!transform.any_op) -> !transform.any_op
    // What the vectors rely on; a call for which it does not hold is refused.
    transform.fuser.add_facts %kernel [
      #fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<divisible 1[0], 8>,
      #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 4>, #fuser.fact<aligned 3, 4>,
      #fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>,
      #fuser.fact<elements_at_most 2, 2130706431>, #fuser.fact<elements_at_most 3, 2130706431>] : !transform.any_op

    %a = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %b = transform.fuser.cache_load %kernel[1] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %product = transform.fuser.match ["fuser.linear"] in %kernel : (!transform.any_op) -> !transform.any_op
    %results = transform.fuser.match ["fuser.cast", "fuser.broadcast", "fuser.add", "fuser.gelu"] in %kernel
      : (!transform.any_op) -> !transform.any_op

    // The tiles of blocks: [m / 128, n / 128, k / 64, 128, 128, 64].
    transform.fuser.split %product at 2 by 64 : !transform.any_op
    transform.fuser.split %product at 1 by 128 : !transform.any_op
    transform.fuser.split %product at 0 by 128 : !transform.any_op
    transform.fuser.reorder %product to [0, 2, 4, 1, 3, 5] : !transform.any_op
    transform.fuser.parallelize %product at 0 as block_y : !transform.any_op
    transform.fuser.parallelize %product at 1 as block_x : !transform.any_op
    %operands = transform.merge_handles %a, %b : !transform.any_op
    transform.fuser.propagate %product to %operands : !transform.any_op, !transform.any_op
    // The operands in shared memory: rows of 128 bytes, whose 8 chunks of 8 elements change places by the row's number, as the copy
    // of a box by a tensor map can do. Where it cannot, all threads copy: [..., 4, 32, 2, 2, 2, 8].
    transform.fuser.split %a at 5 by 8 : !transform.any_op
    transform.fuser.allocate_loops %a to [0, 2, 3, 5, 6] : !transform.any_op
    transform.fuser.swizzle_allocation %a at 2, 3 period 1 : !transform.any_op
    transform.fuser.split %b at 5 by 8 : !transform.any_op
    transform.fuser.allocate_loops %b to [1, 2, 4, 5, 6] : !transform.any_op
    transform.fuser.swizzle_allocation %b at 2, 3 period 1 : !transform.any_op
    transform.fuser.merge %operands at 3, 4 : !transform.any_op
    transform.fuser.split %operands at 4 by 2 : !transform.any_op
    transform.fuser.split %operands at 4 by 2 : !transform.any_op
    transform.fuser.split %operands at 3 by 32 : !transform.any_op
    transform.fuser.parallelize %operands at 3 as unroll : !transform.any_op
    transform.fuser.parallelize %operands at 4 as thread_x : !transform.any_op
    transform.fuser.parallelize %operands at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %operands at 6 as thread_z : !transform.any_op
    transform.fuser.parallelize %operands at 7 as thread_y : !transform.any_op
    transform.fuser.parallelize %operands at 8 as vectorize : !transform.any_op

    // The product: 2 x 2 warps, of each 4 x 8 results of 16 x 8, which one instruction adds 16 steps of the sum to.
    transform.fuser.split %product at 5 by 16 : !transform.any_op
    transform.fuser.split %product at 4 by 8 : !transform.any_op
    transform.fuser.split %product at 4 by 8 : !transform.any_op
    transform.fuser.split %product at 3 by 16 : !transform.any_op
    transform.fuser.split %product at 3 by 4 : !transform.any_op
    transform.fuser.reorder %product to [0, 1, 2, 3, 6, 9, 4, 7, 5, 8, 10] : !transform.any_op
    transform.fuser.parallelize %product at 3 as thread_z : !transform.any_op
    transform.fuser.parallelize %product at 4 as thread_y : !transform.any_op
    transform.fuser.parallelize %product at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %product at 6 as unroll : !transform.any_op
    transform.fuser.parallelize %product at 7 as unroll : !transform.any_op
    transform.fuser.parallelize %product at 8 as mma : !transform.any_op
    transform.fuser.parallelize %product at 9 as mma : !transform.any_op
    transform.fuser.parallelize %product at 10 as mma : !transform.any_op

    // What follows: a lane has rows t / 4 + 8 * i and columns 2 * (t mod 4) + j of each result of 16 x 8, as the instruction
    // leaves them. [m / 128, n / 128, 2, 2, 4, 8, 2, 32, 2].
    transform.fuser.split %y at 1 by 128 : !transform.any_op
    transform.fuser.split %y at 2 by 8 : !transform.any_op
    transform.fuser.split %y at 3 by 2 : !transform.any_op
    transform.fuser.split %y at 2 by 8 : !transform.any_op
    transform.fuser.split %y at 0 by 128 : !transform.any_op
    transform.fuser.split %y at 1 by 16 : !transform.any_op
    transform.fuser.split %y at 2 by 8 : !transform.any_op
    transform.fuser.split %y at 1 by 4 : !transform.any_op
    transform.fuser.reorder %y to [0, 5, 1, 6, 2, 7, 3, 4, 8, 9] : !transform.any_op
    transform.fuser.merge %y at 7, 8 : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_y : !transform.any_op
    transform.fuser.parallelize %y at 1 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 2 as thread_z : !transform.any_op
    transform.fuser.parallelize %y at 3 as thread_y : !transform.any_op
    transform.fuser.parallelize %y at 4 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 6 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 7 as thread_x : !transform.any_op
    transform.fuser.parallelize %y at 8 as vectorize : !transform.any_op
    transform.fuser.propagate %y to %results : !transform.any_op, !transform.any_op

    // Two warps more copy: one of their threads waits until a stage was multiplied, and begins the copies of two boxes.
    transform.fuser.set_memory %operands to shared : !transform.any_op
    transform.fuser.inline_most %kernel limit %operands to [3] : !transform.any_op, !transform.any_op
    transform.fuser.pipeline %operands stages 4 by bulk role producer : !transform.any_op
    transform.yield
  }
}
