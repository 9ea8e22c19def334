// Seed 8021634: crash
// signal 11
// fuser-run FILE --device=host --check --sizes=513,17x513,513 --range=i0=-1:514
fuser.fusion @f(%x0: tensor<?xf32>, %x1: tensor<17x?xf32>, %i0: tensor<?xi64>) -> (tensor<?xf32>, tensor<17xf32>, tensor<?xf32>) attributes {aliases = [#fuser.alias<output 2, input 0>]} {
  %v2 = fuser.permute %x0 [0] : tensor<?xf32> -> tensor<?xf32>
  %v3 = fuser.minimum %v2, %v2 : tensor<?xf32>
  %v4 = fuser.mean %x1 dims [1] : tensor<17x?xf32> -> tensor<17xf32>
  %v5 = fuser.broadcast %v4 dims [1] : tensor<17xf32> -> tensor<17x1xf32>
  %v6 = fuser.sub %x1, %v5 : (tensor<17x?xf32>, tensor<17x1xf32>) -> tensor<17x?xf32>
  %v7 = fuser.abs %v6 : tensor<17x?xf32>
  %v8 = fuser.add %v2, %x0 : tensor<?xf32>
  %c7 = fuser.gt %x1, %x1 : (tensor<17x?xf32>, tensor<17x?xf32>) -> tensor<17x?xi1>
  %v9 = fuser.where %c7, %v7, %v7 : (tensor<17x?xi1>, tensor<17x?xf32>, tensor<17x?xf32>) -> tensor<17x?xf32>
  %v10 = fuser.relu %v7 : tensor<17x?xf32>
  %v11 = fuser.push %v8 at %i0 into %x0 dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<?xf32>
  %v12 = fuser.maximum %v9, %v10 : tensor<17x?xf32>
  %v13 = fuser.cat %v12, %v5 dim 1 : (tensor<17x?xf32>, tensor<17x1xf32>) -> tensor<17x?xf32>
  %v14 = fuser.sub %v12, %v12 : tensor<17x?xf32>
  %v15 = fuser.reshape %v14 : tensor<17x?xf32> -> tensor<1x17x?xf32>
  %v16 = fuser.sum %v12 dims [1] : tensor<17x?xf32> -> tensor<17xf32>
  %v17 = fuser.add %x1, %v10 : tensor<17x?xf32>
  %v18 = fuser.max %v8 dims [0] : tensor<?xf32> -> tensor<f32>
  %v19 = fuser.broadcast %v18 dims [0] : tensor<f32> -> tensor<1xf32>
  %v20 = fuser.sub %v8, %v19 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %v21 = fuser.exp %v20 : tensor<?xf32>
  %v22 = fuser.sum %v21 dims [0] : tensor<?xf32> -> tensor<f32>
  %v23 = fuser.broadcast %v22 dims [0] : tensor<f32> -> tensor<1xf32>
  %v24 = fuser.div %v21, %v23 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  fuser.return %v24, %v16, %v11 : tensor<?xf32>, tensor<17xf32>, tensor<?xf32>
}
