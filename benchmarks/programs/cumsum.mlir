// The cumulative sum of each row.
fuser.fusion @cumsum_f32(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
