// RMS norm of x.view(b * s, 4096), where x has three dimensions, as in transformers.
fuser.fusion @view_rmsnorm_bf16(%x: tensor<?x?x4096xbf16>, %w: tensor<4096xbf16>) -> tensor<?x4096xbf16> {
  %k0 = arith.constant 1.0e-05 : f32
  %0 = fuser.reshape %x : tensor<?x?x4096xbf16> -> tensor<?x4096xbf16>
  %1 = fuser.cast %0 : tensor<?x4096xbf16> to tensor<?x4096xf32>
  %2 = fuser.mul %1, %1 : tensor<?x4096xf32>
  %3 = fuser.mean %2 dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.add %4, %k0 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %6 = fuser.rsqrt %5 : tensor<?x1xf32>
  %7 = fuser.mul %1, %6 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %8 = fuser.cast %w : tensor<4096xbf16> to tensor<4096xf32>
  %9 = fuser.broadcast %8 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %10 = fuser.mul %7, %9 : (tensor<?x4096xf32>, tensor<1x4096xf32>) -> tensor<?x4096xf32>
  %11 = fuser.cast %10 : tensor<?x4096xf32> to tensor<?x4096xbf16>
  fuser.return %11 : tensor<?x4096xbf16>
}
