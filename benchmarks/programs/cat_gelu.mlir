// gelu(cat(x, y, z)), the form with tanh.
fuser.fusion @cat_gelu_bf16(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>, %z: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.cat %x, %y, %z dim 1 : (tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %1 = fuser.cast %0 : tensor<?x?xbf16> to tensor<?x?xf32>
  %2 = fuser.gelu %1 {approximate} : tensor<?x?xf32>
  %3 = fuser.cast %2 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %3 : tensor<?x?xbf16>
}
