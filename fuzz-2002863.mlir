// Seed 2002863: crash
// signal 6
// fuser-run FILE --device=host --check --sizes=2x2x2
fuser.fusion @f(%x0: tensor<?x?x2xbf16>) -> (tensor<?x1xbf16>, tensor<?x1x1xbf16>) {
  %v1 = fuser.sub %x0, %x0 : tensor<?x?x2xbf16>
  %v2 = fuser.cat %v1, %v1 dim 1 : (tensor<?x?x2xbf16>, tensor<?x?x2xbf16>) -> tensor<?x?x2xbf16>
  %v3 = fuser.sum %v2 dims [2] : tensor<?x?x2xbf16> -> tensor<?x?xbf16>
  %v4 = fuser.maximum %x0, %x0 : tensor<?x?x2xbf16>
  %v5 = fuser.cat %v3, %v3 dim 0 : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %v6 = fuser.broadcast %v5 dims [2] : tensor<?x?xbf16> -> tensor<?x?x1xbf16>
  %v7 = fuser.minimum %x0, %v4 : tensor<?x?x2xbf16>
  %c7 = fuser.gt %x0, %x0 : (tensor<?x?x2xbf16>, tensor<?x?x2xbf16>) -> tensor<?x?x2xi1>
  %v8 = fuser.where %c7, %v7, %x0 : (tensor<?x?x2xi1>, tensor<?x?x2xbf16>, tensor<?x?x2xbf16>) -> tensor<?x?x2xbf16>
  %v9 = fuser.broadcast %v5 dims [2] : tensor<?x?xbf16> -> tensor<?x?x1xbf16>
  %v10 = fuser.gelu %v6 : tensor<?x?x1xbf16>
  %v11 = fuser.reshape %v9 : tensor<?x?x1xbf16> -> tensor<?x1xbf16>
  %v12 = fuser.reshape %v10 : tensor<?x?x1xbf16> -> tensor<?x16xbf16>
  %v13 = fuser.abs %v9 : tensor<?x?x1xbf16>
  %v14 = fuser.add %v11, %v11 : tensor<?x1xbf16>
  %v15 = fuser.mean %v12 dims [1] : tensor<?x16xbf16> -> tensor<?xbf16>
  %v16 = fuser.reshape %v14 : tensor<?x1xbf16> -> tensor<?x1x1xbf16>
  %v17 = fuser.sum %v15 dims [0] : tensor<?xbf16> -> tensor<bf16>
  %v18 = fuser.segment_set %v14 : tensor<?x1xbf16>
  fuser.return %v18, %v16 : tensor<?x1xbf16>, tensor<?x1x1xbf16>
}
