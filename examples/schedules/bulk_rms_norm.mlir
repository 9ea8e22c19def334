// RMS norm of rows of bf16: a block takes one row after the other. One thread copies rows to a circular buffer of two stages:
// while the threads reduce a row and wait for each other, the next one is under way. Blocks of few rows end at different times, so
// that those of a multiprocessor load, reduce and store in turn.
//
//   fuser-run examples/schedules/bulk_rms_norm.mlir --sizes=16384x8192,8192 --check
fuser.fusion @rms_norm(%x: tensor<?x?xbf16>, %weight: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %square = fuser.mul %xf, %xf : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %mean = fuser.mean %square dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %meanb = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %eps = arith.constant 1.0e-05 : f32
  %shifted = fuser.add %meanb, %eps : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %scale = fuser.rsqrt %shifted : tensor<?x1xf32>
  %normal = fuser.mul %xf, %scale : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %wf = fuser.cast %weight : tensor<?xbf16> to tensor<?xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %yf = fuser.mul %normal, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %y = fuser.cast %yf : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %y : tensor<?x?xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @rms_norm_0 in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.add_facts %kernel [
      #fuser.fact<at_most 0[1], 8192>, #fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>,
      #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>] : !transform.any_op

    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    // A thread reads its part of the row again, rather than to keep it in registers.
    %wide = transform.fuser.get_consumers %x : (!transform.any_op) -> !transform.any_op
    %muls = transform.fuser.match ["fuser.mul"] in %kernel : (!transform.any_op) -> !transform.any_op
    %square, %normal, %weighted = transform.split_handle %muls
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %again = transform.fuser.recompute %wide for %normal from %x
      : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    transform.fuser.split_broadcasts %kernel : !transform.any_op

    // [rows / 2, 2, columns / 3072, 384, 8].
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.split %y at 1 by 384 : !transform.any_op
    transform.fuser.split %y at 0 by 2 : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 2 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 3 as thread_x : !transform.any_op
    transform.fuser.parallelize %y at 4 as vectorize : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op

    transform.fuser.set_memory %x to shared : !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [2] : !transform.any_op, !transform.any_op
    transform.fuser.pipeline %x stages 2 by bulk : !transform.any_op
    transform.yield
  }
}
