// Sums of squares of long rows: one block for each row, whose tiles of 4096 elements are copied to a circular buffer of three
// stages, two iterations before they are read. One thread copies the 16 KB of a tile at once; all threads wait for the phase
// of the iteration. The last tile of a row may be shorter.
//
//   fuser-run examples/schedules/bulk_sum.mlir --sizes=64x131072 --check
//   fuser-run examples/schedules/bulk_sum.mlir --sizes=64x131072 --dump-after=pipelined    # the loop and its copies
fuser.fusion @sum_of_squares(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %square = fuser.mul %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = fuser.sum %square dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %sum : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @sum_of_squares_0 in %module : (!transform.any_op) -> !transform.any_op

    // What the vectors rely on; a call for which it does not hold is refused.
    transform.fuser.add_facts %kernel [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>] : !transform.any_op

    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %sum = transform.fuser.match ["fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op

    // [rows, columns / 4096, 4, 256, 4]
    transform.fuser.split %sum at 1 by 4 : !transform.any_op
    transform.fuser.split %sum at 1 by 256 : !transform.any_op
    transform.fuser.split %sum at 1 by 4 : !transform.any_op
    transform.fuser.parallelize %sum at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %sum at 2 as unroll : !transform.any_op
    transform.fuser.parallelize %sum at 3 as thread_x : !transform.any_op
    transform.fuser.parallelize %sum at 4 as vectorize : !transform.any_op
    transform.fuser.propagate %sum : !transform.any_op

    // The loop over columns / 4096 takes the stages in turn.
    transform.fuser.set_memory %x to shared : !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [2] : !transform.any_op, !transform.any_op
    transform.fuser.pipeline %x stages 3 by bulk : !transform.any_op
    transform.yield
  }
}
