// A matrix product in tiles: a block has 128 x 128 elements of the result, and copies the parts of both operands that 16
// steps of the sum need to one of three stages in shared memory, two iterations before. A thread has 8 x 8 elements in
// registers over the whole sum.
//
//   fuser-run examples/schedules/matmul_tiles.mlir --sizes=1024x512,512x1024 --check
fuser.fusion @matmul(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xbf16>
    attributes {fuser_sched.one_kernel} {
  %c = fuser.matmul %a, %b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %y = fuser.cast %c : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %y : tensor<?x?xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @matmul_0 in %module : (!transform.any_op) -> !transform.any_op
    // What the vectors rely on; a call for which it does not hold is refused.
    transform.fuser.add_facts %kernel [
      #fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>,
      #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>,
      #fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>,
      #fuser.fact<elements_at_most 2, 2130706431>] : !transform.any_op

    %a = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %b = transform.fuser.cache_load %kernel[1] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %product = transform.fuser.match ["fuser.matmul"] in %kernel : (!transform.any_op) -> !transform.any_op
    %cast = transform.fuser.match ["fuser.cast"] in %kernel : (!transform.any_op) -> !transform.any_op

    // All ops share the tiles: [m / 128, n / 128, k / 16, 128, 128, 16].
    transform.fuser.split %product at 2 by 16 : !transform.any_op
    transform.fuser.split %product at 1 by 128 : !transform.any_op
    transform.fuser.split %product at 0 by 128 : !transform.any_op
    transform.fuser.reorder %product to [0, 2, 4, 1, 3, 5] : !transform.any_op
    transform.fuser.parallelize %product at 0 as block_y : !transform.any_op
    transform.fuser.parallelize %product at 1 as block_x : !transform.any_op
    transform.fuser.propagate %product : !transform.any_op

    // The threads copy the tiles of the operands, vectors of 8 along what is contiguous: [8, 16, 16, 8] of 128 x 16 and of
    // 16 x 128 elements.
    transform.fuser.reorder %b to [0, 1, 2, 3, 5, 4] : !transform.any_op
    %operands = transform.merge_handles %a, %b : !transform.any_op
    transform.fuser.merge %operands at 3, 4 : !transform.any_op
    transform.fuser.merge %operands at 3, 4 : !transform.any_op
    transform.fuser.split %operands at 3 by 8 : !transform.any_op
    transform.fuser.split %operands at 3 by 16 : !transform.any_op
    transform.fuser.split %operands at 3 by 16 : !transform.any_op
    transform.fuser.parallelize %operands at 4 as thread_y : !transform.any_op
    transform.fuser.parallelize %operands at 5 as thread_x : !transform.any_op
    transform.fuser.parallelize %operands at 6 as vectorize : !transform.any_op

    // A thread has 8 rows and 8 columns: [m / 128, n / 128, k / 16, 16, 16, 16, 8, 8], threads first.
    transform.fuser.split %product at 4 by 8 : !transform.any_op
    transform.fuser.split %product at 3 by 8 : !transform.any_op
    transform.fuser.reorder %product to [0, 1, 2, 3, 5, 7, 4, 6] : !transform.any_op
    transform.fuser.parallelize %product at 3 as thread_y : !transform.any_op
    transform.fuser.parallelize %product at 4 as thread_x : !transform.any_op
    transform.fuser.parallelize %product at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %product at 6 as unroll : !transform.any_op
    transform.fuser.parallelize %product at 7 as vectorize : !transform.any_op

    // The results: the same elements on the same threads.
    %results = transform.merge_handles %cast, %y : !transform.any_op
    transform.fuser.split %results at 4 by 8 : !transform.any_op
    transform.fuser.split %results at 3 by 8 : !transform.any_op
    transform.fuser.reorder %results to [0, 1, 2, 3, 5, 4, 6] : !transform.any_op
    transform.fuser.parallelize %results at 3 as thread_y : !transform.any_op
    transform.fuser.parallelize %results at 4 as thread_x : !transform.any_op
    transform.fuser.parallelize %results at 5 as unroll : !transform.any_op
    transform.fuser.parallelize %results at 6 as vectorize : !transform.any_op

    transform.fuser.set_memory %operands to shared : !transform.any_op
    transform.fuser.inline_at %operands at 3 : !transform.any_op
    transform.fuser.inline_at %product at 2 : !transform.any_op
    transform.fuser.inline_at %cast at 6 : !transform.any_op
    transform.fuser.pipeline %operands stages 3 : !transform.any_op
    transform.yield
  }
}
