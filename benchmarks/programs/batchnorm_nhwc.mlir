// Batch norm as in training, channels-last images.
fuser.fusion @batchnorm_nhwc_bf16(%x: tensor<?x?x?x?xbf16>, %w: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, unit, unit], output_orders = [array<i64: 0, 2, 3, 1>]} {
  %k0 = arith.constant 1.0e-05 : f32
  %0 = fuser.cast %x : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %var1, %mean1 = fuser.var_mean %0 dims [0, 2, 3] correction 0 : tensor<?x?x?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %1 = fuser.broadcast %var1 dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %2 = fuser.broadcast %mean1 dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  %4 = fuser.add %1, %k0 : (tensor<1x?x1x1xf32>, f32) -> tensor<1x?x1x1xf32>
  %5 = fuser.rsqrt %4 : tensor<1x?x1x1xf32>
  %6 = fuser.mul %3, %5 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  %7 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %8 = fuser.broadcast %7 dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %9 = fuser.mul %6, %8 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  %10 = fuser.cast %b : tensor<?xbf16> to tensor<?xf32>
  %11 = fuser.broadcast %10 dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %12 = fuser.add %9, %11 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  %13 = fuser.cast %12 : tensor<?x?x?x?xf32> to tensor<?x?x?x?xbf16>
  fuser.return %13 : tensor<?x?x?x?xbf16>
}
