// Sums of the columns of a bf16 matrix: a block has 64 columns and 32 rows at once, and copies the tile of 128 rows that
// it reads in an iteration to one of four stages, three iterations before.
//
//   fuser-run examples/schedules/pipelined_columns.mlir --sizes=16384x8192 --check
fuser.fusion @columns(%x: tensor<?x?xbf16>) -> tensor<?xf32> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %sum = fuser.sum %xf dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %sum : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @columns_0 in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.add_facts %kernel [
      #fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>] : !transform.any_op

    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %sum = transform.fuser.match ["fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op

    // [columns / 64, rows / 128, 4, 32, 8, 8]: rows of threads on y, a thread's vectors of 8 columns on x.
    transform.fuser.split %sum at 1 by 8 : !transform.any_op
    transform.fuser.split %sum at 1 by 8 : !transform.any_op
    transform.fuser.split %sum at 0 by 32 : !transform.any_op
    transform.fuser.split %sum at 0 by 4 : !transform.any_op
    transform.fuser.reorder %sum to [3, 0, 1, 2, 4, 5] : !transform.any_op
    transform.fuser.parallelize %sum at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %sum at 2 as unroll : !transform.any_op
    transform.fuser.parallelize %sum at 3 as thread_y : !transform.any_op
    transform.fuser.parallelize %sum at 4 as thread_x : !transform.any_op
    transform.fuser.parallelize %sum at 5 as vectorize : !transform.any_op
    transform.fuser.propagate %sum : !transform.any_op

    transform.fuser.set_memory %x to shared : !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [2] : !transform.any_op, !transform.any_op
    transform.fuser.pipeline %x stages 4 : !transform.any_op
    transform.yield
  }
}
