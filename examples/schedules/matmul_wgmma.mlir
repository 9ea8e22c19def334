// A dense layer by products of warp groups (wgmma, sm_90a): gelu(a * transpose(b) + bias) of bf16, with both operands stored along
// the sum. A block has 128 x 256 elements of the result, and 2 warp groups of 64 x 256 each. A warp of its own begins the copies
// of the boxes that 64 steps of the sum need, by tensor maps, to one of four stages in shared memory as soon as these were
// multiplied; wgmma reads them there. The results go to shared memory, in the place of the operands, from which one thread stores boxes.
// Sizes need not be multiples of the tile: what does not exist is zeros, and is not stored.
//
//   fuser-run examples/schedules/matmul_wgmma.mlir --sizes=512x256,512x256,512 --check
//   fuser-run examples/schedules/matmul_wgmma.mlir --sizes=512x256,512x256,512 --dump-after=accessed    # the instructions
//   fuser-run examples/schedules/matmul_wgmma.mlir --sizes=512x256,512x256,512 --dump-after=pipelined   # both roles
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
      #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 4>, #fuser.fact<aligned 3, 16>,
      #fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>,
      #fuser.fact<elements_at_most 2, 2130706431>, #fuser.fact<elements_at_most 3, 2130706431>] : !transform.any_op

    %a = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %b = transform.fuser.cache_load %kernel[1] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %staged = transform.fuser.get_producers %y : (!transform.any_op) -> !transform.any_op
    %product = transform.fuser.match ["fuser.linear"] in %kernel : (!transform.any_op) -> !transform.any_op
    %results = transform.fuser.match ["fuser.cast", "fuser.broadcast", "fuser.add", "fuser.gelu"] in %kernel
      : (!transform.any_op) -> !transform.any_op

    // The tiles of blocks: [m / 128 / 16, n / 256, 16, k / 64, 128, 256, 64]. Blocks that run at once are next to each other along x, then
    // y: they share columns of b, and the rows of 16 tiles of a.
    transform.fuser.split %product at 2 by 64 : !transform.any_op
    transform.fuser.split %product at 1 by 256 : !transform.any_op
    transform.fuser.split %product at 0 by 128 : !transform.any_op
    transform.fuser.split %product at 0 by 16 : !transform.any_op
    transform.fuser.reorder %product to [0, 3, 1, 5, 2, 4, 6] : !transform.any_op
    transform.fuser.parallelize %product at 0 as block_z : !transform.any_op
    transform.fuser.parallelize %product at 1 as block_y : !transform.any_op
    transform.fuser.parallelize %product at 2 as block_x : !transform.any_op
    %operands = transform.merge_handles %a, %b : !transform.any_op
    transform.fuser.propagate %product to %operands : !transform.any_op, !transform.any_op
    // The operands in shared memory: rows of 64 elements along the sum, 128 bytes, whose vectors of 8 are permuted by the number
    // of the row, as wgmma reads them.
    transform.fuser.split %a at 6 by 8 : !transform.any_op
    transform.fuser.allocate_loops %a to [0, 2, 3, 4, 6, 7] : !transform.any_op
    transform.fuser.swizzle_allocation %a at 3, 4 period 1 : !transform.any_op
    transform.fuser.split %b at 6 by 8 : !transform.any_op
    transform.fuser.allocate_loops %b to [1, 3, 5, 6, 7] : !transform.any_op
    transform.fuser.swizzle_allocation %b at 2, 3 period 1 : !transform.any_op
    // The loops of the copies, for the threads of the block where no tensor map can describe an operand.
    transform.fuser.merge %operands at 4, 5 : !transform.any_op
    transform.fuser.split %operands at 4 by 32 : !transform.any_op
    transform.fuser.parallelize %operands at 4 as unroll : !transform.any_op
    transform.fuser.parallelize %operands at 5 as thread_x : !transform.any_op
    transform.fuser.parallelize %operands at 6 as thread_y : !transform.any_op
    transform.fuser.parallelize %operands at 7 as vectorize : !transform.any_op

    // The product: 8 warps with 16 rows each, and so 2 warp groups with 64. One instruction has all 256 columns and 16 steps.
    transform.fuser.split %product at 6 by 16 : !transform.any_op
    transform.fuser.split %product at 4 by 16 : !transform.any_op
    transform.fuser.reorder %product to [0, 1, 2, 3, 4, 7, 5, 6, 8] : !transform.any_op
    transform.fuser.parallelize %product at 4 as thread_y : !transform.any_op
    transform.fuser.parallelize %product at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %product at 6 as mma : !transform.any_op
    transform.fuser.parallelize %product at 7 as mma : !transform.any_op
    transform.fuser.parallelize %product at 8 as mma : !transform.any_op

    // The results in shared memory: rows of 64 elements, 128 bytes, whose vectors of 8 are permuted by the number of the row.
    %outputs = transform.merge_handles %staged, %y : !transform.any_op
    transform.fuser.split %outputs at 1 by 256 : !transform.any_op
    transform.fuser.split %outputs at 2 by 8 : !transform.any_op
    transform.fuser.split %outputs at 2 by 8 : !transform.any_op
    transform.fuser.split %outputs at 0 by 128 : !transform.any_op
    transform.fuser.split %outputs at 0 by 16 : !transform.any_op
    transform.fuser.reorder %outputs to [0, 3, 1, 2, 4, 5, 6] : !transform.any_op
    transform.fuser.parallelize %outputs at 0 as block_z : !transform.any_op
    transform.fuser.parallelize %outputs at 1 as block_y : !transform.any_op
    transform.fuser.parallelize %outputs at 2 as block_x : !transform.any_op
    transform.fuser.allocate_loops %staged to [0, 1, 2, 4, 3, 5, 6] : !transform.any_op
    transform.fuser.swizzle_allocation %staged at 4, 5 period 1 : !transform.any_op
    transform.fuser.set_memory %staged to shared : !transform.any_op
    // A lane has rows t / 4 + 8 * i and columns 2 * (t mod 4) + j of each 8, as the instruction leaves them. One branch for the tile
    // finds whether they exist: a branch around each two elements would wait for a load of the bias each. After it, a warp stores them by
    // 16 stmatrix of 16 x 16 elements each. Their 64 registers are those that the producer gives back.
    // [m / 128 / 16, n / 256, 16, 8, 4, 8, 2, 32, 2].
    transform.fuser.split %staged at 6 by 2 : !transform.any_op
    transform.fuser.split %staged at 3 by 16 : !transform.any_op
    transform.fuser.split %staged at 4 by 8 : !transform.any_op
    transform.fuser.reorder %staged to [0, 1, 2, 3, 6, 7, 4, 5, 8, 9] : !transform.any_op
    transform.fuser.merge %staged at 7, 8 : !transform.any_op
    transform.fuser.parallelize %staged at 3 as thread_y : !transform.any_op
    transform.fuser.parallelize %staged at 4 as unswitch : !transform.any_op
    transform.fuser.parallelize %staged at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %staged at 6 as unroll : !transform.any_op
    transform.fuser.parallelize %staged at 7 as thread_x : !transform.any_op
    transform.fuser.parallelize %staged at 8 as vectorize : !transform.any_op
    transform.fuser.propagate %staged to %results : !transform.any_op, !transform.any_op
    // One thread stores boxes of 128 x 64; the loops are for the threads of the block where no tensor map can describe the result.
    transform.fuser.split %y at 3 by 32 : !transform.any_op
    transform.fuser.parallelize %y at 3 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 4 as thread_x : !transform.any_op
    transform.fuser.parallelize %y at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 6 as thread_y : !transform.any_op
    transform.fuser.parallelize %y at 7 as vectorize : !transform.any_op
    transform.fuser.store_by_bulk %y : !transform.any_op

    // A warp more copies: one of its threads waits until a stage was multiplied, and begins the copies of the boxes of both operands.
    transform.fuser.set_memory %operands to shared : !transform.any_op
    transform.fuser.inline_most %kernel limit %operands, %staged to [4, 3] : !transform.any_op, !transform.any_op, !transform.any_op
    transform.fuser.pipeline %operands stages 4 by bulk role producer registers [40, 232] : !transform.any_op
    transform.yield
  }
}
