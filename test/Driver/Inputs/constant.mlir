func.func @constant(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<[[1.0, 2.5, -3.0], [4.0, 0.5, 7.0]]> : tensor<2x3xf32>
  %0 = arith.addf %x, %c : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
