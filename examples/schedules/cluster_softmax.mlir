// Softmax whose rows are distributed over clusters of four blocks: each block keeps its part of a row in registers, and the
// parts of the reductions are exchanged through distributed shared memory.
//
//   fuser-run examples/schedules/cluster_softmax.mlir --sizes=64x16384 --check
//   fuser-run examples/schedules/cluster_softmax.mlir --sizes=64x16384 --dump-after=choose    # what the script made
fuser.fusion @softmax(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %maxb = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %shifted = fuser.sub %xf, %maxb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = fuser.exp %shifted : tensor<?x?xf32>
  %sum = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %sumb = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %yf = fuser.div %e, %sumb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %y = fuser.cast %yf : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %y : tensor<?x?xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @softmax_0 in %module : (!transform.any_op) -> !transform.any_op

    // What the schedule relies on; a call for which it does not hold is refused.
    transform.fuser.add_facts %kernel [
      #fuser.fact<at_most 0[1], 16384>, #fuser.fact<divisible 0[1], 8>,
      #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>] : !transform.any_op

    // A thread keeps its part of the row as it lies in memory, and computes again what it needs of it.
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %wide = transform.fuser.get_consumers %x : (!transform.any_op) -> !transform.any_op
    %sub = transform.fuser.match ["fuser.sub"] in %kernel : (!transform.any_op) -> !transform.any_op
    %a = transform.fuser.recompute %wide for %sub from %x
      : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    %exp = transform.fuser.match ["fuser.exp"] in %kernel : (!transform.any_op) -> !transform.any_op
    %div = transform.fuser.match ["fuser.div"] in %kernel : (!transform.any_op) -> !transform.any_op
    %max = transform.fuser.match ["fuser.broadcast"] in %kernel : (!transform.any_op) -> !transform.any_op
    %kept = transform.merge_handles %x, %max : !transform.any_op
    %b = transform.fuser.recompute %exp for %div from %kept
      : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    transform.fuser.split_broadcasts %kernel : !transform.any_op

    // [rows, columns / 4096, 4, 128, 8] for everything that has rows and columns.
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.split %y at 1 by 128 : !transform.any_op
    transform.fuser.split %y at 1 by 4 : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 1 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 2 as cluster_x : !transform.any_op
    transform.fuser.parallelize %y at 3 as thread_x : !transform.any_op
    transform.fuser.parallelize %y at 4 as vectorize : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op

    // All loads of a thread are under way before the first is used.
    transform.fuser.inline_most %kernel limit %x to [1] : !transform.any_op, !transform.any_op
    transform.yield
  }
}
