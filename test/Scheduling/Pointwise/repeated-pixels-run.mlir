// RUN: fuser-run %s --device=host --target=h200 --check | FileCheck %s
// Nearest upsampling by two: vectors that cross the ends of rows of pixels.
// CHECK: check {{.*}} ok
fuser.fusion @upsample(%x: tensor<2x3x10x12xbf16>) -> tensor<2x3x20x24xbf16> {
  %0 = fuser.broadcast %x dims [3, 5] : tensor<2x3x10x12xbf16> -> tensor<2x3x10x1x12x1xbf16>
  %1 = fuser.expand %0 : tensor<2x3x10x1x12x1xbf16> -> tensor<2x3x10x2x12x2xbf16>
  %2 = fuser.reshape %1 : tensor<2x3x10x2x12x2xbf16> -> tensor<2x3x20x24xbf16>
  %3 = fuser.relu %2 : tensor<2x3x20x24xbf16>
  fuser.return %3 : tensor<2x3x20x24xbf16>
}
