// The index of the greatest element of each row.
fuser.fusion @argmax_bf16(%x: tensor<?x?xbf16>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c1_i64 = arith.constant 1 : i64
  %x_0 = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %x_1 = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %0 = fuser.iota %c0_i64, %c1_i64 length(%x_1) : i64, i64 -> tensor<?xi64>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %2 = fuser.expand %1 sizes(%x_0) : tensor<1x?xi64> -> tensor<?x?xi64>
  %value, %position = fuser.max_with_index %x, %2 dims [1] : tensor<?x?xbf16>, tensor<?x?xi64> -> tensor<?xbf16>, tensor<?xi64>
  fuser.return %position : tensor<?xi64>
}

fuser.fusion @argmax_f32(%x: tensor<?x?xf32>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c1_i64 = arith.constant 1 : i64
  %x_0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %x_1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = fuser.iota %c0_i64, %c1_i64 length(%x_1) : i64, i64 -> tensor<?xi64>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %2 = fuser.expand %1 sizes(%x_0) : tensor<1x?xi64> -> tensor<?x?xi64>
  %value, %position = fuser.max_with_index %x, %2 dims [1] : tensor<?x?xf32>, tensor<?x?xi64> -> tensor<?xf32>, tensor<?xi64>
  fuser.return %position : tensor<?xi64>
}
