// (x - mean(x)) / sqrt(var(x) + eps) * w + b, with mean and variance of each row.
fuser.fusion @layer_norm(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>, %b: tensor<?xbf16>, %eps: f32) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %bf = fuser.cast %b : tensor<?xbf16> to tensor<?xf32>
  %var, %mean = fuser.var_mean %xf dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %shifted = fuser.add %var, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rstd = fuser.rsqrt %shifted : tensor<?xf32>
  %m = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %r = fuser.broadcast %rstd dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %bb = fuser.broadcast %bf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %normal = fuser.mul %centered, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %scaled = fuser.mul %normal, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %biased = fuser.add %scaled, %bb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %biased : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
