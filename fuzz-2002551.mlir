// Seed 2002551: crash
// signal 6
// fuser-run FILE --device=host --check --sizes=8
fuser.fusion @f(%x0: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x1xf64>) {
  %v1 = fuser.broadcast %x0 dims [1] : tensor<?xf64> -> tensor<?x1xf64>
  %v2 = fuser.cat %v1, %v1 dim 0 : (tensor<?x1xf64>, tensor<?x1xf64>) -> tensor<?x1xf64>
  %v3 = fuser.abs %v2 : tensor<?x1xf64>
  %v4 = fuser.mean %v3 dims [1] : tensor<?x1xf64> -> tensor<?xf64>
  %v5 = fuser.broadcast %v4 dims [1] : tensor<?xf64> -> tensor<?x1xf64>
  %v6 = fuser.sub %v3, %v5 : tensor<?x1xf64>
  %v7 = fuser.abs %v6 : tensor<?x1xf64>
  %v8 = fuser.neg %v6 : tensor<?x1xf64>
  %v9 = fuser.reshape %v6 : tensor<?x1xf64> -> tensor<?xf64>
  %v10 = fuser.repeat %v4 [4] : tensor<?xf64> -> tensor<?xf64>
  %v11 = fuser.add %v9, %v9 : tensor<?xf64>
  %v12 = fuser.broadcast %x0 dims [0] : tensor<?xf64> -> tensor<1x?xf64>
  %v13 = fuser.broadcast %v11 dims [0] : tensor<?xf64> -> tensor<1x?xf64>
  %v14 = fuser.add %v8, %v7 : tensor<?x1xf64>
  %v15 = fuser.add %v7, %v3 : tensor<?x1xf64>
  %v16 = fuser.maximum %v13, %v1 : (tensor<1x?xf64>, tensor<?x1xf64>) -> tensor<?x?xf64>
  fuser.return %v16, %v8 : tensor<?x?xf64>, tensor<?x1xf64>
}
