// relu(x * s + b), where s and b are rows.
fuser.fusion @scale_bias_relu_bf16(%x: tensor<?x?xbf16>, %s: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %s : tensor<?xbf16> to tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.mul %0, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.cast %b : tensor<?xbf16> to tensor<?xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %6 = fuser.add %3, %5 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %7 = fuser.relu %6 : tensor<?x?xf32>
  %8 = fuser.cast %7 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %8 : tensor<?x?xbf16>
}

fuser.fusion @scale_bias_relu_f32(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.broadcast %s dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.add %1, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.relu %3 : tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}
