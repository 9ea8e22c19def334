// Rows quantized to fp8 by their greatest magnitude, and the scales.
fuser.fusion @quant_fp8_row_bf16(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) {
  %k0 = arith.constant 1.0e-12 : f32
  %k1 = arith.constant 448.0 : f32
  %k2 = arith.constant -448.0 : f32
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.abs %0 : tensor<?x?xf32>
  %2 = fuser.max %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.maximum %3, %k0 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %5 = fuser.div %4, %k1 : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %6 = fuser.div %0, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.clamp %6, %k2, %k1 : (tensor<?x?xf32>, f32, f32) -> tensor<?x?xf32>
  %8 = fuser.cast %7 : tensor<?x?xf32> to tensor<?x?xf8E4M3FN>
  fuser.return %8, %5 : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
