// relu(x * scale + bias), with one scale and one bias per column.
fuser.fusion @scale_bias_relu(%x: tensor<?x?xbf16>, %scale: tensor<?xbf16>, %bias: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %sf = fuser.cast %scale : tensor<?xbf16> to tensor<?xf32>
  %bf = fuser.cast %bias : tensor<?xbf16> to tensor<?xf32>
  %s = fuser.broadcast %sf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %b = fuser.broadcast %bf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %scaled = fuser.mul %xf, %s : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %shifted = fuser.add %scaled, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %relu = fuser.relu %shifted : tensor<?x?xf32>
  %0 = fuser.cast %relu : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
