// gelu(x + b), the form with tanh.
fuser.fusion @gelu_bias_bf16(%x: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %b : tensor<?xbf16> to tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.add %0, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.gelu %3 {approximate} : tensor<?x?xf32>
  %5 = fuser.cast %4 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %5 : tensor<?x?xbf16>
}

fuser.fusion @gelu_bias_f32(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.gelu %1 {approximate} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
