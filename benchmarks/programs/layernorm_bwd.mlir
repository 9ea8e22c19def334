// The gradients of layer norm of rows, with respect to x, w and b.
fuser.fusion @layernorm_bwd_bf16(%dy: tensor<?x?xbf16>, %x: tensor<?x?xbf16>, %mean: tensor<?x1xf32>, %rstd: tensor<?x1xf32>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?xbf16>, tensor<?xbf16>) {
  %0 = fuser.cast %dy : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %2 = fuser.sub %1, %mean : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.mul %2, %rstd : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %6 = fuser.mul %0, %5 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %7 = fuser.mean %6 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %9 = fuser.mul %6, %3 : tensor<?x?xf32>
  %10 = fuser.mean %9 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %11 = fuser.broadcast %10 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %12 = fuser.sub %6, %8 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %13 = fuser.mul %3, %11 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %14 = fuser.sub %12, %13 : tensor<?x?xf32>
  %15 = fuser.mul %14, %rstd : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %16 = fuser.mul %0, %3 : tensor<?x?xf32>
  %17 = fuser.sum %16 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %18 = fuser.sum %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %19 = fuser.cast %15 : tensor<?x?xf32> to tensor<?x?xbf16>
  %20 = fuser.cast %17 : tensor<?xf32> to tensor<?xbf16>
  %21 = fuser.cast %18 : tensor<?xf32> to tensor<?xbf16>
  fuser.return %19, %20, %21 : tensor<?x?xbf16>, tensor<?xbf16>, tensor<?xbf16>
}

fuser.fusion @layernorm_bwd_f32(%dy: tensor<?x?xf32>, %x: tensor<?x?xf32>, %mean: tensor<?x1xf32>, %rstd: tensor<?x1xf32>, %w: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.sub %x, %mean : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.mul %0, %rstd : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %2 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.mul %dy, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.mean %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.mul %3, %1 : tensor<?x?xf32>
  %7 = fuser.mean %6 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %9 = fuser.sub %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %10 = fuser.mul %1, %8 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %11 = fuser.sub %9, %10 : tensor<?x?xf32>
  %12 = fuser.mul %11, %rstd : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %13 = fuser.mul %dy, %1 : tensor<?x?xf32>
  %14 = fuser.sum %13 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %15 = fuser.sum %dy dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %12, %14, %15 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}
