// Seed 2145739: internal
// loc("program":4:9): 'fuser.reshape' op expected equal extents of dimensions that it maps to one, but got 1 and 0
// loc("program":4:9): note: see current operation: %2 = "fuser.reshape"(%0) : (tensor<5x0x0xf32>) -> tensor<0x0xf32>
// fuser-run FILE --device=host --check --sizes=5x0x0
module {
  fuser.fusion @f(%arg0: tensor<5x0x0xf32>) -> tensor<f32> {
    %0 = fuser.reshape %arg0 : tensor<5x0x0xf32> -> tensor<0x0xf32>
    %1 = fuser.sum %0 dims [0, 1] : tensor<0x0xf32> -> tensor<f32>
    fuser.return %1 : tensor<f32>
  }
}