// x + residual and its RMS norm; both are outputs.
fuser.fusion @add_rmsnorm_bf16(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) {
  %k0 = arith.constant 1.0e-05 : f32
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %residual : tensor<?x?xbf16> to tensor<?x?xf32>
  %2 = fuser.add %0, %1 : tensor<?x?xf32>
  %3 = fuser.cast %2 : tensor<?x?xf32> to tensor<?x?xbf16>
  %4 = fuser.cast %3 : tensor<?x?xbf16> to tensor<?x?xf32>
  %5 = fuser.mul %4, %4 : tensor<?x?xf32>
  %6 = fuser.mean %5 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %8 = fuser.add %7, %k0 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %9 = fuser.rsqrt %8 : tensor<?x1xf32>
  %10 = fuser.mul %4, %9 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %11 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %12 = fuser.broadcast %11 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %13 = fuser.mul %10, %12 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %14 = fuser.cast %13 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %14, %3 : tensor<?x?xbf16>, tensor<?x?xbf16>
}
