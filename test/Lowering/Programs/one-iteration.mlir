// RUN: fuser-run %s --device=host --check --sizes=1x64
// The index of a branch whose loops have one iteration is 0, which all numbers divide.

fuser.fusion @f(%x0: tensor<1x64xbf16>) -> (tensor<4xbf16>) attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0>]} {
  %v1 = fuser.sub %x0, %x0 : tensor<1x64xbf16>
  %c1 = fuser.gt %x0, %x0 : (tensor<1x64xbf16>, tensor<1x64xbf16>) -> tensor<1x64xi1>
  %v2 = fuser.where %c1, %v1, %v1 : (tensor<1x64xi1>, tensor<1x64xbf16>, tensor<1x64xbf16>) -> tensor<1x64xbf16>
  %v3 = fuser.sigmoid %v2 : tensor<1x64xbf16>
  %c4 = fuser.gt %x0, %x0 : (tensor<1x64xbf16>, tensor<1x64xbf16>) -> tensor<1x64xi1>
  %v4 = fuser.where %c4, %v1, %v1 : (tensor<1x64xi1>, tensor<1x64xbf16>, tensor<1x64xbf16>) -> tensor<1x64xbf16>
  %v5 = fuser.relu %v4 : tensor<1x64xbf16>
  %p7 = arith.constant 1.5 : bf16
  %v6 = fuser.pad %v5 low [0, 0] high [0, -3] value %p7 : tensor<1x64xbf16>, bf16 -> tensor<1x61xbf16>
  %v7 = fuser.broadcast %v6 dims [1] : tensor<1x61xbf16> -> tensor<1x1x61xbf16>
  %v8 = fuser.sum %v6 dims [1] : tensor<1x61xbf16> -> tensor<1xbf16>
  %v9 = fuser.broadcast %v6 dims [1] : tensor<1x61xbf16> -> tensor<1x1x61xbf16>
  %v10 = fuser.segment_set %v8 : tensor<1xbf16>
  %v11 = fuser.sigmoid %v10 : tensor<1xbf16>
  %p13 = arith.constant 1.5 : bf16
  %v12 = fuser.full %p13 : bf16 -> tensor<17xbf16>
  %v13 = fuser.insert_slice %v11 into %v12 [12] : tensor<1xbf16> into tensor<17xbf16>
  %v14 = fuser.insert_slice %v11 into %v13 [10] : tensor<1xbf16> into tensor<17xbf16>
  %v15 = fuser.slice %v14 [4] [1] : tensor<17xbf16> -> tensor<1xbf16>
  %p17 = arith.constant 1.5 : bf16
  %v16 = fuser.pad %v15 low [-1] high [4] value %p17 : tensor<1xbf16>, bf16 -> tensor<4xbf16>
  fuser.return %v16 : tensor<4xbf16>
}
