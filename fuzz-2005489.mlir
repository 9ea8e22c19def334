// Seed 2005489: crash
// signal 6
// fuser-run FILE --device=host --check --sizes=3x3x3,3x513x1,3x17
fuser.fusion @f(%x0: tensor<?x?x?xf16>, %x1: tensor<?x513x1xf16>, %x2: tensor<?x17xf16>) -> (tensor<?x1xf16>, tensor<?x1x51xf16>, tensor<?x?xf16>) {
  %v3 = fuser.mean %x2 dims [1] : tensor<?x17xf16> -> tensor<?xf16>
  %v4 = fuser.reshape %x2 : tensor<?x17xf16> -> tensor<?x1x51xf16>
  %v5 = fuser.reshape %x2 : tensor<?x17xf16> -> tensor<?xf16>
  %v6 = fuser.sigmoid %v5 : tensor<?xf16>
  %v7 = fuser.repeat %v5 [3] : tensor<?xf16> -> tensor<?xf16>
  %v8 = fuser.abs %v5 : tensor<?xf16>
  %v9 = fuser.broadcast %v8 dims [0] : tensor<?xf16> -> tensor<1x?xf16>
  %v10 = fuser.repeat %v9 [1, 3] : tensor<1x?xf16> -> tensor<1x?xf16>
  %v11 = fuser.sub %v9, %v9 : tensor<1x?xf16>
  %v12 = fuser.mul %v11, %v11 : tensor<1x?xf16>
  %v13 = fuser.minimum %v6, %v5 : tensor<?xf16>
  %v14 = fuser.permute %v11 [1, 0] : tensor<1x?xf16> -> tensor<?x1xf16>
  %v15 = fuser.mean %v9 dims [1] : tensor<1x?xf16> -> tensor<1xf16>
  %v16 = fuser.broadcast %v13 dims [0] : tensor<?xf16> -> tensor<1x?xf16>
  %v17 = fuser.add %v14, %v10 : (tensor<?x1xf16>, tensor<1x?xf16>) -> tensor<?x?xf16>
  %v18 = fuser.maximum %v17, %v10 : (tensor<?x?xf16>, tensor<1x?xf16>) -> tensor<?x?xf16>
  %v19 = fuser.gelu %v14 : tensor<?x1xf16>
  %v20 = fuser.broadcast %x2 dims [0] : tensor<?x17xf16> -> tensor<1x?x17xf16>
  %v21 = fuser.cat %v18, %v17 dim 0 : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
  %v22 = fuser.segment_set %v19 : tensor<?x1xf16>
  %v23 = fuser.relu %v22 : tensor<?x1xf16>
  fuser.return %v23, %v4, %v18 : tensor<?x1xf16>, tensor<?x1x51xf16>, tensor<?x?xf16>
}
