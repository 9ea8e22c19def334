// Seed 2137556: internal
// loc("program":4:9): 'fuser.reshape' op expected equal extents of dimensions that it maps to one, but got 1 and 0
// loc("program":4:9): note: see current operation: %2 = "fuser.reshape"(%0) : (tensor<7x0x0xf32>) -> tensor<0x0xf32>
// fuser-run FILE --device=host --check --sizes=7x7,7x0x0,0x7
module {
  fuser.fusion @f(%arg0: tensor<7x7xf32>, %arg1: tensor<7x0x0xf32>, %arg2: tensor<0x7xf32>) -> tensor<f32> {
    %0 = fuser.reshape %arg1 : tensor<7x0x0xf32> -> tensor<0x0xf32>
    %1 = fuser.sum %0 dims [0] : tensor<0x0xf32> -> tensor<0xf32>
    %2 = fuser.sum %1 dims [0] : tensor<0xf32> -> tensor<f32>
    fuser.return %2 : tensor<f32>
  }
}