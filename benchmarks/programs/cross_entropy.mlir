// The loss of each row: the log-softmax at the target, negated.
fuser.fusion @cross_entropy_bf16(%logits: tensor<?x?xbf16>, %target: tensor<?xi64>) -> tensor<?xf32> {
  %0 = fuser.cast %logits : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.log %6 : tensor<?x1xf32>
  %8 = fuser.sub %3, %7 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %9 = fuser.broadcast %target dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %10 = fuser.take_along_axis %8, %9 dim 1 : tensor<?x?xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  %11 = fuser.squeeze %10 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  %12 = fuser.neg %11 : tensor<?xf32>
  fuser.return %12 : tensor<?xf32>
}
