// One kernel stores a slice for an op that wants it whole; another kernel gets it as a view, with the strides that it was made for.
// RUN: fuser-run %s --device=host --sizes=128x2,9 --range=i0=0:128 --check | FileCheck %s
// CHECK: output 0: ok
// CHECK: output 1: ok
fuser.fusion @f(%x0: tensor<?x2xf32>, %i0: tensor<9xi64>) -> (tensor<9x1x2xf32>, tensor<18x1x1xf32>) {
  %v1 = fuser.broadcast %x0 dims [1] : tensor<?x2xf32> -> tensor<?x1x2xf32>
  %v2 = fuser.min %v1 dims [2] : tensor<?x1x2xf32> -> tensor<?x1xf32>
  %v3 = fuser.index_select %v1, %i0 dim 0 : tensor<?x1x2xf32>, tensor<9xi64> -> tensor<9x1x2xf32>
  %c3 = fuser.gt %v3, %v3 : (tensor<9x1x2xf32>, tensor<9x1x2xf32>) -> tensor<9x1x2xi1>
  %v4 = fuser.where %c3, %v3, %v3 : (tensor<9x1x2xi1>, tensor<9x1x2xf32>, tensor<9x1x2xf32>) -> tensor<9x1x2xf32>
  %v5 = fuser.sum %v2 dims [0, 1] : tensor<?x1xf32> -> tensor<f32>
  %v6 = fuser.maximum %v3, %v3 : tensor<9x1x2xf32>
  %v7 = fuser.slice %v3 [0, 0, 0] [9, 1, 1] strides [1, 1, 2] : tensor<9x1x2xf32> -> tensor<9x1x1xf32>
  %v8 = fuser.mul %v7, %v6 : (tensor<9x1x1xf32>, tensor<9x1x2xf32>) -> tensor<9x1x2xf32>
  %c9 = fuser.gt %v3, %v3 : (tensor<9x1x2xf32>, tensor<9x1x2xf32>) -> tensor<9x1x2xi1>
  %v9 = fuser.where %c9, %v6, %v8 : (tensor<9x1x2xi1>, tensor<9x1x2xf32>, tensor<9x1x2xf32>) -> tensor<9x1x2xf32>
  %v10 = fuser.cat %v7, %v7 dim 0 : (tensor<9x1x1xf32>, tensor<9x1x1xf32>) -> tensor<18x1x1xf32>
  %v11 = fuser.mean %v9 dims [2] : tensor<9x1x2xf32> -> tensor<9x1xf32>
  %v12 = fuser.broadcast %v11 dims [2] : tensor<9x1xf32> -> tensor<9x1x1xf32>
  %v13 = fuser.sub %v9, %v12 : (tensor<9x1x2xf32>, tensor<9x1x1xf32>) -> tensor<9x1x2xf32>
  %v14 = fuser.abs %v13 : tensor<9x1x2xf32>
  %v15 = fuser.mul %v12, %v14 : (tensor<9x1x1xf32>, tensor<9x1x2xf32>) -> tensor<9x1x2xf32>
  fuser.return %v15, %v10 : tensor<9x1x2xf32>, tensor<18x1x1xf32>
}
