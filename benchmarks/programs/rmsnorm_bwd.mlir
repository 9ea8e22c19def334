// The gradients of RMS norm of rows, with respect to x and w.
fuser.fusion @rmsnorm_bwd_bf16(%dy: tensor<?x?xbf16>, %x: tensor<?x?xbf16>, %rstd: tensor<?x1xf32>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?xbf16>) {
  %0 = fuser.cast %dy : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %2 = fuser.mul %1, %rstd : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %4 = fuser.broadcast %3 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %5 = fuser.mul %0, %4 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %6 = fuser.mul %5, %2 : tensor<?x?xf32>
  %7 = fuser.mean %6 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %9 = fuser.mul %2, %8 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %10 = fuser.sub %5, %9 : tensor<?x?xf32>
  %11 = fuser.mul %10, %rstd : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %12 = fuser.mul %0, %2 : tensor<?x?xf32>
  %13 = fuser.sum %12 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %14 = fuser.cast %11 : tensor<?x?xf32> to tensor<?x?xbf16>
  %15 = fuser.cast %13 : tensor<?xf32> to tensor<?xbf16>
  fuser.return %14, %15 : tensor<?x?xbf16>, tensor<?xbf16>
}
