// What runtime.c runs.
fuser.fusion @product(%x: tensor<?x128xf32>, %y: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = fuser.mul %x, %y : tensor<?x128xf32>
  fuser.return %0 : tensor<?x128xf32>
}
