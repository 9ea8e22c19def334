// RUN: fuser-run %s --device=host --target=h200 --check --sizes=513 | FileCheck %s
// A comparison of elements whose ranges do not decide it, in a kernel whose equal values are shared first: ranges are not remembered of
// values that are erased then.
// CHECK: output 0: ok
// CHECK: output 1: ok
fuser.fusion @f(%x0: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>, tensor<1x1xbf16>, tensor<?xbf16>) {
  %v1 = fuser.mul %x0, %x0 : tensor<?xbf16>
  %v2 = fuser.segment_set %v1 : tensor<?xbf16>
  %v3 = fuser.mean %v1 dims [0] : tensor<?xbf16> -> tensor<bf16>
  %v4 = fuser.broadcast %v3 dims [0] : tensor<bf16> -> tensor<1xbf16>
  %v5 = fuser.sub %v1, %v4 : (tensor<?xbf16>, tensor<1xbf16>) -> tensor<?xbf16>
  %v6 = fuser.abs %v5 : tensor<?xbf16>
  %v7 = fuser.reshape %v4 : tensor<1xbf16> -> tensor<1x1xbf16>
  %v8 = fuser.add %v3, %v3 : tensor<bf16>
  %a0 = arith.constant 0 : i32
  %b0 = arith.constant 0 : i32
  %j0 = fuser.iota %a0, %b0 : i32, i32 -> tensor<1xi32>
  %j1 = fuser.broadcast %j0 dims [1] : tensor<1xi32> -> tensor<1x1xi32>
  %a2 = arith.constant 0 : i32
  %b2 = arith.constant -1 : i32
  %j2 = fuser.iota %a2, %b2 : i32, i32 -> tensor<1xi32>
  %j3 = fuser.broadcast %j2 dims [0] : tensor<1xi32> -> tensor<1x1xi32>
  %j4 = fuser.add %j1, %j3 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
  %b5 = arith.constant 1 : i32
  %j5 = fuser.full %b5 : i32 -> tensor<1x1xi32>
  %j6 = fuser.remainder %j4, %j5 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
  %v9 = fuser.scatter %v7 at %j6 into %v7 dim 0 reduce add : tensor<1x1xbf16>, tensor<1x1xi32>, tensor<1x1xbf16>
  %v10 = fuser.mean %v7 dims [0] : tensor<1x1xbf16> -> tensor<1xbf16>
  %v11 = fuser.broadcast %v10 dims [0] : tensor<1xbf16> -> tensor<1x1xbf16>
  %v12 = fuser.sub %v7, %v11 : tensor<1x1xbf16>
  %v13 = fuser.abs %v12 : tensor<1x1xbf16>
  %v14 = fuser.mean %v11 dims [1] : tensor<1x1xbf16> -> tensor<1xbf16>
  %v15 = fuser.broadcast %v14 dims [1] : tensor<1xbf16> -> tensor<1x1xbf16>
  %v16 = fuser.sub %v11, %v15 : tensor<1x1xbf16>
  %v17 = fuser.abs %v16 : tensor<1x1xbf16>
  %v18 = fuser.sum %v13 dims [1] : tensor<1x1xbf16> -> tensor<1xbf16>
  %a7 = arith.constant 102 : i32
  %b7 = arith.constant 1 : i32
  %j7 = fuser.iota %a7, %b7 : i32, i32 -> tensor<1xi32>
  %v19 = fuser.push %v18 at %j7 into %x0 dim 0 : tensor<1xbf16>, tensor<1xi32>, tensor<?xbf16>
  %v20 = fuser.permute %v19 [0] : tensor<?xbf16> -> tensor<?xbf16>
  %v21 = fuser.mean %v17 dims [0] : tensor<1x1xbf16> -> tensor<1xbf16>
  %v22 = fuser.neg %v7 : tensor<1x1xbf16>
  %v23 = fuser.add %v16, %v11 : tensor<1x1xbf16>
  %v24 = fuser.permute %v20 [0] : tensor<?xbf16> -> tensor<?xbf16>
  %p24 = arith.constant 1.5 : bf16
  %v25 = fuser.pad %v24 low [0] high [8] value %p24 : tensor<?xbf16>, bf16 -> tensor<?xbf16>
  fuser.return %v25, %v20, %v7, %x0 : tensor<?xbf16>, tensor<?xbf16>, tensor<1x1xbf16>, tensor<?xbf16>
}
