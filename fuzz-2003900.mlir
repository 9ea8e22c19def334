// Seed 2003900: crash
// signal 6
// fuser-run FILE --device=host --check --sizes=8x1
fuser.fusion @f(%x0: tensor<8x1xf32>) -> (tensor<8x16x1xf32>, tensor<1x4x4x1xf32>, tensor<8x16x1xf32>) {
  %v1 = fuser.maximum %x0, %x0 : tensor<8x1xf32>
  %v2 = fuser.add %x0, %v1 : tensor<8x1xf32>
  %v3 = fuser.add %x0, %v1 : tensor<8x1xf32>
  %v4 = fuser.mul %v3, %v3 : tensor<8x1xf32>
  %v5 = fuser.broadcast %v4 dims [0] : tensor<8x1xf32> -> tensor<1x8x1xf32>
  %v6 = fuser.broadcast %v3 dims [2] : tensor<8x1xf32> -> tensor<8x1x1xf32>
  %v7 = fuser.max %v5 dims [2] : tensor<1x8x1xf32> -> tensor<1x8xf32>
  %v8 = fuser.cat %v5, %v5 dim 1 : (tensor<1x8x1xf32>, tensor<1x8x1xf32>) -> tensor<1x16x1xf32>
  %v9 = fuser.repeat %v7 [1, 3] : tensor<1x8xf32> -> tensor<1x24xf32>
  %v10 = fuser.relu %v8 : tensor<1x16x1xf32>
  %v11 = fuser.reshape %v8 : tensor<1x16x1xf32> -> tensor<1x1x4x4x1xf32>
  %v12 = fuser.squeeze %v11 dims [0] : tensor<1x1x4x4x1xf32> -> tensor<1x4x4x1xf32>
  %v13 = fuser.sub %v10, %v6 : (tensor<1x16x1xf32>, tensor<8x1x1xf32>) -> tensor<8x16x1xf32>
  %v14 = fuser.gelu %v11 : tensor<1x1x4x4x1xf32>
  %v15 = fuser.max %v13 dims [2] : tensor<8x16x1xf32> -> tensor<8x16xf32>
  %v16 = fuser.broadcast %v15 dims [2] : tensor<8x16xf32> -> tensor<8x16x1xf32>
  %v17 = fuser.sub %v13, %v16 : tensor<8x16x1xf32>
  %v18 = fuser.exp %v17 : tensor<8x16x1xf32>
  %v19 = fuser.sum %v18 dims [2] : tensor<8x16x1xf32> -> tensor<8x16xf32>
  %v20 = fuser.broadcast %v19 dims [2] : tensor<8x16xf32> -> tensor<8x16x1xf32>
  %v21 = fuser.div %v18, %v20 : tensor<8x16x1xf32>
  fuser.return %v21, %v12, %v20 : tensor<8x16x1xf32>, tensor<1x4x4x1xf32>, tensor<8x16x1xf32>
}
