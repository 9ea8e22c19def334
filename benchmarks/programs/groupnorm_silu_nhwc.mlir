// silu(group_norm(x)) with 32 groups, channels-last images. The number of channels is static, as in a layer.
fuser.fusion @groupnorm_silu_nhwc_bf16(%x: tensor<?x512x?x?xbf16>, %w: tensor<512xbf16>, %b: tensor<512xbf16>) -> tensor<?x512x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, unit, unit], output_orders = [array<i64: 0, 2, 3, 1>]} {
  %k0 = arith.constant 1.0e-05 : f32
  %0 = fuser.cast %x : tensor<?x512x?x?xbf16> to tensor<?x512x?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x512x?x?xf32> -> tensor<?x32x16x?x?xf32>
  %var2, %mean2 = fuser.var_mean %1 dims [2, 3, 4] correction 0 : tensor<?x32x16x?x?xf32> -> tensor<?x32xf32>, tensor<?x32xf32>
  %2 = fuser.broadcast %var2 dims [2, 3, 4] : tensor<?x32xf32> -> tensor<?x32x1x1x1xf32>
  %3 = fuser.broadcast %mean2 dims [2, 3, 4] : tensor<?x32xf32> -> tensor<?x32x1x1x1xf32>
  %4 = fuser.sub %1, %3 : (tensor<?x32x16x?x?xf32>, tensor<?x32x1x1x1xf32>) -> tensor<?x32x16x?x?xf32>
  %5 = fuser.add %2, %k0 : (tensor<?x32x1x1x1xf32>, f32) -> tensor<?x32x1x1x1xf32>
  %6 = fuser.rsqrt %5 : tensor<?x32x1x1x1xf32>
  %7 = fuser.mul %4, %6 : (tensor<?x32x16x?x?xf32>, tensor<?x32x1x1x1xf32>) -> tensor<?x32x16x?x?xf32>
  %8 = fuser.reshape %7 : tensor<?x32x16x?x?xf32> -> tensor<?x512x?x?xf32>
  %9 = fuser.cast %w : tensor<512xbf16> to tensor<512xf32>
  %10 = fuser.broadcast %9 dims [0, 2, 3] : tensor<512xf32> -> tensor<1x512x1x1xf32>
  %11 = fuser.mul %8, %10 : (tensor<?x512x?x?xf32>, tensor<1x512x1x1xf32>) -> tensor<?x512x?x?xf32>
  %12 = fuser.cast %b : tensor<512xbf16> to tensor<512xf32>
  %13 = fuser.broadcast %12 dims [0, 2, 3] : tensor<512xf32> -> tensor<1x512x1x1xf32>
  %14 = fuser.add %11, %13 : (tensor<?x512x?x?xf32>, tensor<1x512x1x1xf32>) -> tensor<?x512x?x?xf32>
  %15 = fuser.silu %14 : tensor<?x512x?x?xf32>
  %16 = fuser.cast %15 : tensor<?x512x?x?xf32> to tensor<?x512x?x?xbf16>
  fuser.return %16 : tensor<?x512x?x?xbf16>
}
