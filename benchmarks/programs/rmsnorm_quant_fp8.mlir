// RMS norm of rows, quantized to fp8 by their greatest magnitude.
fuser.fusion @rmsnorm_quant_fp8_bf16(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) {
  %k0 = arith.constant 1.0e-05 : f32
  %k1 = arith.constant 1.0e-12 : f32
  %k2 = arith.constant 448.0 : f32
  %k3 = arith.constant -448.0 : f32
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.mul %0, %0 : tensor<?x?xf32>
  %2 = fuser.mean %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.add %3, %k0 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %5 = fuser.rsqrt %4 : tensor<?x1xf32>
  %6 = fuser.mul %0, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %8 = fuser.broadcast %7 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %9 = fuser.mul %6, %8 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %10 = fuser.abs %9 : tensor<?x?xf32>
  %11 = fuser.max %10 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %13 = fuser.maximum %12, %k1 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %14 = fuser.div %13, %k2 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %15 = fuser.div %9, %14 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %16 = fuser.clamp %15, %k3, %k2 : (tensor<?x?xf32>, f32, f32) -> tensor<?x?xf32>
  %17 = fuser.cast %16 : tensor<?x?xf32> to tensor<?x?xf8E4M3FN>
  fuser.return %17, %14 : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
