// RMS norm of each of 32 heads of a row, as of q and k: split, norm, join.
fuser.fusion @head_rmsnorm_bf16(%x: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %k0 = arith.constant 1.0e-05 : f32
  %0 = fuser.cast %x : tensor<?x4096xbf16> to tensor<?x4096xf32>
  %1 = fuser.reshape %0 : tensor<?x4096xf32> -> tensor<?x32x128xf32>
  %2 = fuser.mul %1, %1 : tensor<?x32x128xf32>
  %3 = fuser.mean %2 dims [2] : tensor<?x32x128xf32> -> tensor<?x32xf32>
  %4 = fuser.broadcast %3 dims [2] : tensor<?x32xf32> -> tensor<?x32x1xf32>
  %5 = fuser.add %4, %k0 : (tensor<?x32x1xf32>, f32) -> tensor<?x32x1xf32>
  %6 = fuser.rsqrt %5 : tensor<?x32x1xf32>
  %7 = fuser.mul %1, %6 : (tensor<?x32x128xf32>, tensor<?x32x1xf32>) -> tensor<?x32x128xf32>
  %8 = fuser.reshape %7 : tensor<?x32x128xf32> -> tensor<?x4096xf32>
  %9 = fuser.cast %8 : tensor<?x4096xf32> to tensor<?x4096xbf16>
  fuser.return %9 : tensor<?x4096xbf16>
}
