// Kernels that read an argument, also behind others.

fuser.fusion @chain(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512xf32>) {
  %0 = fuser.matmul %x, %y : tensor<512x512xf32>, tensor<512x512xf32> -> tensor<512x512xf32>
  %1 = fuser.exp %0 : tensor<512x512xf32>
  %2 = fuser.matmul %1, %x : tensor<512x512xf32>, tensor<512x512xf32> -> tensor<512x512xf32>
  %3 = fuser.sum %2 dims [0] : tensor<512x512xf32> -> tensor<512xf32>
  fuser.return %2, %3 : tensor<512x512xf32>, tensor<512xf32>
}
