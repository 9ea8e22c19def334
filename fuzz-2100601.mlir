// Seed 2100601: internal
// loc("program":5:9): 'fuser.reshape' op expected equal extents of dimensions that it maps to one, but got 1 and 0
// loc("program":5:9): note: see current operation: %3 = "fuser.reshape"(%0) : (tensor<256x0x0xbf16>) -> tensor<0x1x0xbf16>
// fuser-run FILE --device=host --check --sizes=256x0x0
module {
  fuser.fusion @f(%arg0: tensor<256x0x0xbf16>) -> tensor<0x2x0xbf16> {
    %0 = fuser.reshape %arg0 : tensor<256x0x0xbf16> -> tensor<0x1x0xbf16>
    %1 = fuser.expand %0 : tensor<0x1x0xbf16> -> tensor<0x2x0xbf16>
    %2 = fuser.abs %1 : tensor<0x2x0xbf16>
    fuser.return %2 : tensor<0x2x0xbf16>
  }
}