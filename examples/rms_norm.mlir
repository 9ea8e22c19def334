// x / sqrt(mean(x^2) + eps) * w: each row of x divided by its root mean square, scaled by column.
fuser.fusion @rms_norm(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>, %eps: f32) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %square = fuser.mul %xf, %xf : tensor<?x?xf32>
  %mean = fuser.mean %square dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %shifted = fuser.add %mean, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rms = fuser.rsqrt %shifted : tensor<?xf32>
  %r = fuser.broadcast %rms dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %normal = fuser.mul %xf, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %scaled = fuser.mul %normal, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %scaled : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
