// The gradient of the logits, from the saved log-sum-exp of each row.
fuser.fusion @cross_entropy_bwd_bf16(%logits: tensor<?x?xbf16>, %target: tensor<?xi64>, %lse: tensor<?xf32>, %dloss: tensor<?xf32>) -> tensor<?x?xbf16> {
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c1_i64 = arith.constant 1 : i64
  %k0 = arith.constant 1.0 : f32
  %0 = fuser.cast %logits : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.broadcast %lse dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %logits_1 = tensor.dim %logits, %c1 : tensor<?x?xbf16>
  %4 = fuser.iota %c0_i64, %c1_i64 length(%logits_1) : i64, i64 -> tensor<?xi64>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %6 = fuser.broadcast %target dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %7 = fuser.eq %5, %6 : (tensor<1x?xi64>, tensor<?x1xi64>) -> tensor<?x?xi1>
  %8 = fuser.sub %3, %k0 : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %9 = fuser.where %7, %8, %3 : (tensor<?x?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %10 = fuser.broadcast %dloss dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %11 = fuser.mul %9, %10 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %12 = fuser.cast %11 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %12 : tensor<?x?xbf16>
}
