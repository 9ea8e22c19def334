// The softmax of each row; the maximum is subtracted first, so that no exponential overflows.
fuser.fusion @softmax(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %shifted = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %exp = fuser.exp %shifted : tensor<?x?xf32>
  %sum = fuser.sum %exp dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %quotient = fuser.div %exp, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %quotient : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
