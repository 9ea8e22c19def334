// x + b, where b is a column.
fuser.fusion @broadcast_add_bf16(%b: tensor<?x1xbf16>, %x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.add %x, %b : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

fuser.fusion @broadcast_add_f32(%b: tensor<?x1xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
