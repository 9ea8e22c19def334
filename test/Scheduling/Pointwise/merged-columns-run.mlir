// RUN: fuser-run %s --device=host --target=h200 --check | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir='target=h200' | FileCheck %s --check-prefix=IR
// Vectors of pixels and their channels: flipped where an image is, times a weight of each channel. No lane checks its index.
// CHECK: check {{.*}} ok
// IR: gpu.func
// IR-COUNT-8: memref.load {{.*}} : memref<{{[0-9]+}}xi8
// IR-NOT: arith.cmpi {{.*}} : i64
fuser.fusion @flipped(%x: tensor<6x20x96x3xi8>, %flip: tensor<6x1x1x1xi1>, %w: tensor<3xf32>) -> tensor<6x20x96x3xbf16> {
  %c95 = arith.constant 95 : i64
  %c-1 = arith.constant -1 : i64
  %0 = fuser.iota %c95, %c-1 : i64, i64 -> tensor<96xi64>
  %1 = fuser.index_select %x, %0 dim 2 : tensor<6x20x96x3xi8>, tensor<96xi64> -> tensor<6x20x96x3xi8>
  %2 = fuser.where %flip, %1, %x : (tensor<6x1x1x1xi1>, tensor<6x20x96x3xi8>, tensor<6x20x96x3xi8>) -> tensor<6x20x96x3xi8>
  %3 = fuser.cast %2 : tensor<6x20x96x3xi8> to tensor<6x20x96x3xf32>
  %4 = fuser.broadcast %w dims [0, 1, 2] : tensor<3xf32> -> tensor<1x1x1x3xf32>
  %5 = fuser.mul %3, %4 : (tensor<6x20x96x3xf32>, tensor<1x1x1x3xf32>) -> tensor<6x20x96x3xf32>
  %6 = fuser.cast %5 : tensor<6x20x96x3xf32> to tensor<6x20x96x3xbf16>
  fuser.return %6 : tensor<6x20x96x3xbf16>
}
