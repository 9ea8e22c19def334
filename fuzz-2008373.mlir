// Seed 2008373: crash
// signal 6
// fuser-run FILE --device=host --check --sizes=8x8,1024x8x1
fuser.fusion @f(%x0: tensor<8x8xi32>, %x1: tensor<1024x8x1xi32>) -> (tensor<1024x8x2x1xi32>, tensor<1024x2x4x2x1xi32>) {
  %v2 = fuser.relu %x1 : tensor<1024x8x1xi32>
  %v3 = fuser.repeat %v2 [1, 2, 1] : tensor<1024x8x1xi32> -> tensor<1024x16x1xi32>
  %v4 = fuser.sum %v3 dims [2] : tensor<1024x16x1xi32> -> tensor<1024x16xi32>
  %v5 = fuser.segment_set %v3 : tensor<1024x16x1xi32>
  %v6 = fuser.reshape %v3 : tensor<1024x16x1xi32> -> tensor<1024x8x1x2x1xi32>
  %v7 = fuser.max %v6 dims [2] : tensor<1024x8x1x2x1xi32> -> tensor<1024x8x2x1xi32>
  %v8 = fuser.sum %x1 dims [1] : tensor<1024x8x1xi32> -> tensor<1024x1xi32>
  %v9 = fuser.add %v8, %v4 : (tensor<1024x1xi32>, tensor<1024x16xi32>) -> tensor<1024x16xi32>
  %v10 = fuser.relu %v7 : tensor<1024x8x2x1xi32>
  %v11 = fuser.slice %v10 [0, 0, 0, 0] [1024, 8, 1, 1] strides [1, 1, 2, 1] : tensor<1024x8x2x1xi32> -> tensor<1024x8x1x1xi32>
  %v12 = fuser.reshape %v4 : tensor<1024x16xi32> -> tensor<32x32x16xi32>
  %v13 = fuser.sub %v10, %v11 : (tensor<1024x8x2x1xi32>, tensor<1024x8x1x1xi32>) -> tensor<1024x8x2x1xi32>
  %v14 = fuser.add %v12, %v12 : tensor<32x32x16xi32>
  %v15 = fuser.add %v14, %v12 : tensor<32x32x16xi32>
  %p14 = arith.constant 3 : i32
  %v16 = fuser.pad %x1 low [0, 2, 0] high [0, 1, 0] value %p14 : tensor<1024x8x1xi32>, i32 -> tensor<1024x11x1xi32>
  %v17 = fuser.relu %v15 : tensor<32x32x16xi32>
  %v18 = fuser.reshape %x1 : tensor<1024x8x1xi32> -> tensor<1024x8x1x1xi32>
  %v19 = fuser.mul %v10, %v7 : tensor<1024x8x2x1xi32>
  %v20 = fuser.reshape %v19 : tensor<1024x8x2x1xi32> -> tensor<1024x2x4x2x1xi32>
  %v21 = fuser.neg %v19 : tensor<1024x8x2x1xi32>
  %v22 = fuser.mul %v18, %v10 : (tensor<1024x8x1x1xi32>, tensor<1024x8x2x1xi32>) -> tensor<1024x8x2x1xi32>
  fuser.return %v22, %v20 : tensor<1024x8x2x1xi32>, tensor<1024x2x4x2x1xi32>
}
