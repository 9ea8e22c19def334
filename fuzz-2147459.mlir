// Seed 2147459: internal
// loc("program":13:10): 'fuser.reshape' op expected equal extents of dimensions that it maps to one, but got 1 and 0
// loc("program":13:10): note: see current operation: %11 = "fuser.reshape"(%5) : (tensor<8x0x0xf32>) -> tensor<0x0xf32>
// fuser-run FILE --device=host --check --sizes=0,16x0x0,0x0x1
module {
  fuser.fusion @f(%arg0: tensor<0xf32>, %arg1: tensor<16x0x0xf32>, %arg2: tensor<0x0x1xf32>) -> tensor<0x2x0xf32> {
    %0 = fuser.slice %arg1 [1, 0, 0] [8, 0, 0] strides [2, 1, 1] : tensor<16x0x0xf32> -> tensor<8x0x0xf32>
    %1 = fuser.reshape %0 : tensor<8x0x0xf32> -> tensor<0x0xf32>
    %2 = fuser.broadcast %1 dims [1] : tensor<0x0xf32> -> tensor<0x1x0xf32>
    %3 = fuser.cat %2, %2 dim 1 : (tensor<0x1x0xf32>, tensor<0x1x0xf32>) -> tensor<0x2x0xf32>
    fuser.return %3 : tensor<0x2x0xf32>
  }
}