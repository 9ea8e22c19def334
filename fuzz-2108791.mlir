// Seed 2108791: internal
// loc("program":9:10): 'fuser.reshape' op expected equal extents of dimensions that it maps to one, but got 1 and 0
// loc("program":9:10): note: see current operation: %7 = "fuser.reshape"(%0) : (tensor<33x0x0xf32>) -> tensor<0x0xf32>
// fuser-run FILE --device=host --check --sizes=0x33,33x0x0,33
fuser.fusion @f(%x0: tensor<0x33xf32>, %x1: tensor<33x0x0xf32>, %x2: tensor<33xf32>) -> (tensor<36x0xf32>, tensor<f32>, tensor<3x0x0xf32>) {
  %v3 = fuser.add %x1, %x1 : tensor<33x0x0xf32>
  %v4 = fuser.slice %x1 [28, 0, 0] [3, 0, 0] strides [2, 1, 1] : tensor<33x0x0xf32> -> tensor<3x0x0xf32>
  %v5 = fuser.gelu %x2 : tensor<33xf32>
  %v6 = fuser.repeat %v4 [1, 2, 1] : tensor<3x0x0xf32> -> tensor<3x0x0xf32>
  %v7 = fuser.silu %v5 : tensor<33xf32>
  %v8 = fuser.sum %v5 dims [0] : tensor<33xf32> -> tensor<f32>
  %v9 = fuser.sub %v8, %v8 : tensor<f32>
  %v10 = fuser.reshape %v3 : tensor<33x0x0xf32> -> tensor<0x0xf32>
  %v11 = fuser.slice %v3 [11, 0, 0] [22, 0, 0] : tensor<33x0x0xf32> -> tensor<22x0x0xf32>
  %v12 = fuser.segment_set %v9 : tensor<f32>
  %v13 = fuser.add %v12, %v8 : tensor<f32>
  %v14 = fuser.tanh %v13 : tensor<f32>
  %v15 = fuser.cat %v4, %v3 dim 0 : (tensor<3x0x0xf32>, tensor<33x0x0xf32>) -> tensor<36x0x0xf32>
  %v16 = fuser.tanh %v13 : tensor<f32>
  %v17 = fuser.sum %v15 dims [2] : tensor<36x0x0xf32> -> tensor<36x0xf32>
  %v18 = fuser.sum %v15 dims [2] : tensor<36x0x0xf32> -> tensor<36x0xf32>
  fuser.return %v18, %v16, %v6 : tensor<36x0xf32>, tensor<f32>, tensor<3x0x0xf32>
}
