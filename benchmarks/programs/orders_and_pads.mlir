// What another order or a border costs, next to the same kernel without.

fuser.fusion @copy_bf16(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {output_orders = [array<i64: 1, 0>]} {
  fuser.return %x : tensor<?x?xbf16>
}

fuser.fusion @copy_f32(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  fuser.return %x : tensor<?x?xf32>
}

fuser.fusion @two_orders_bf16(%x: tensor<?x?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.relu %x : tensor<?x?xbf16>
  fuser.return %0, %0 : tensor<?x?xbf16>, tensor<?x?xbf16>
}

fuser.fusion @two_orders_f32(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0, %0 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @sum(%x: tensor<?x4096xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.fusion @pad_sum(%x: tensor<?x4096xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [16] high [16] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @softmax(%x: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %3 = fuser.exp %2 : tensor<?x4096xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  fuser.return %6 : tensor<?x4096xf32>
}

fuser.fusion @pad_softmax(%x: tensor<?x4096xf32>) -> tensor<?x4224xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.max %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %3 = fuser.exp %2 : tensor<?x4096xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %7 = fuser.pad %6 low [0, 64] high [0, 64] value %zero : tensor<?x4096xf32>, f32 -> tensor<?x4224xf32>
  fuser.return %7 : tensor<?x4224xf32>
}

fuser.fusion @layer_norm(%x: tensor<?x4096xf32>, %eps: f32) -> tensor<?x4096xf32> {
  %0 = fuser.mean %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %3 = fuser.mul %2, %2 : tensor<?x4096xf32>
  %4 = fuser.mean %3 dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %5 = fuser.add %4, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %6 = fuser.rsqrt %5 : tensor<?xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %8 = fuser.mul %2, %7 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  fuser.return %8 : tensor<?x4096xf32>
}

fuser.fusion @pad_layer_norm(%x: tensor<?x4096xf32>, %eps: f32) -> tensor<?x4224xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.mean %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %3 = fuser.mul %2, %2 : tensor<?x4096xf32>
  %4 = fuser.mean %3 dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %5 = fuser.add %4, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %6 = fuser.rsqrt %5 : tensor<?xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %8 = fuser.mul %2, %7 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %9 = fuser.pad %8 low [0, 64] high [0, 64] value %zero : tensor<?x4096xf32>, f32 -> tensor<?x4224xf32>
  fuser.return %9 : tensor<?x4224xf32>
}
