// RUN: fuser-run %s --device=host --check --sizes=5,7,7 | FileCheck %s
// A value is stored by one kernel, and recomputed as a view of another value by a second one. A third kernel reads a part of
// what the first one stored, not of the view, whose buffer is freed by then.

// CHECK: check {{.*}}output 0: ok
// CHECK: output 1: ok
// CHECK: output 2: ok
fuser.fusion @f(%x0: tensor<5xf64>, %x1: tensor<7xf64>, %x2: tensor<7xf64>) -> (tensor<5x5xf64>, tensor<5x7xf64>, tensor<1xf64>) {
  %v3 = fuser.reshape %x0 : tensor<5xf64> -> tensor<1x5xf64>
  %v4 = fuser.maximum %x1, %x1 : tensor<7xf64>
  %v5 = fuser.max %v4 dims [0] : tensor<7xf64> -> tensor<f64>
  %v6 = fuser.broadcast %v5 dims [0] : tensor<f64> -> tensor<1xf64>
  %v7 = fuser.sub %v4, %v6 : (tensor<7xf64>, tensor<1xf64>) -> tensor<7xf64>
  %v8 = fuser.exp %v7 : tensor<7xf64>
  %v9 = fuser.sum %v8 dims [0] : tensor<7xf64> -> tensor<f64>
  %v10 = fuser.broadcast %v9 dims [0] : tensor<f64> -> tensor<1xf64>
  %v11 = fuser.div %v8, %v10 : (tensor<7xf64>, tensor<1xf64>) -> tensor<7xf64>
  %v12 = fuser.sum %v10 dims [0] : tensor<1xf64> -> tensor<f64>
  %v13 = fuser.mean %v11 dims [0] : tensor<7xf64> -> tensor<f64>
  %v14 = fuser.sum %v7 dims [0] : tensor<7xf64> -> tensor<f64>
  %v15 = fuser.broadcast %v12 dims [0] : tensor<f64> -> tensor<1xf64>
  %v16 = fuser.reshape %v11 : tensor<7xf64> -> tensor<1x7xf64>
  %v17 = fuser.slice %v16 [0, 2] [1, 5] : tensor<1x7xf64> -> tensor<1x5xf64>
  %v18 = fuser.reshape %x2 : tensor<7xf64> -> tensor<1x7xf64>
  %v19 = fuser.permute %v17 [1, 0] : tensor<1x5xf64> -> tensor<5x1xf64>
  %v20 = fuser.maximum %v18, %v19 : (tensor<1x7xf64>, tensor<5x1xf64>) -> tensor<5x7xf64>
  %v21 = fuser.maximum %v19, %v3 : (tensor<5x1xf64>, tensor<1x5xf64>) -> tensor<5x5xf64>
  %v22 = fuser.sum %v21 dims [1] : tensor<5x5xf64> -> tensor<5xf64>
  %v23 = fuser.mul %v21, %v17 : (tensor<5x5xf64>, tensor<1x5xf64>) -> tensor<5x5xf64>
  fuser.return %v23, %v20, %v6 : tensor<5x5xf64>, tensor<5x7xf64>, tensor<1xf64>
}
