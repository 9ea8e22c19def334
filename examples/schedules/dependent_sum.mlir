// The sum of all elements of a matrix by two kernels: the first one makes a partial sum of each row, the second one the sum of
// these. The second launch begins as the blocks of the first one end, so that its latency is hidden, and waits for the last of
// them before it reads what they write.
//
//   fuser-run examples/schedules/dependent_sum.mlir --sizes=1024x1024 --check
//   fuser-run examples/schedules/dependent_sum.mlir --sizes=1024x1024 --dump-after=lowering    # the wait and what precedes it
fuser.fusion @total(%x: tensor<?x?xf32>) -> tensor<f32> {
  %rows = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %partial = fuser.segment_set %rows : tensor<?xf32>
  %sum = fuser.sum %partial dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %sum : tensor<f32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %second = transform.fuser.get_kernel @total_1 in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.launch_dependent %second : !transform.any_op
    transform.yield
  }
}
