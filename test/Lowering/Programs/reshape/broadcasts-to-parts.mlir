// RUN: fuser-run %s --device=host --target=h200 --check | FileCheck %s
// Dimensions of size 1 that are broadcast to parts of a reshape, which are loops, and to a whole, of which the loops are parts.

// CHECK-NOT: fallback
// CHECK: kernels {{.*}}_0:
// CHECK-NOT: _1:
// CHECK: check {{.*}} ok
// Eight codes of four bits in an integer, and such codes of zeros for each group of rows.
fuser.fusion @codes(%shifts: tensor<8xi32>, %x: tensor<128x16xi32>, %zeros: tensor<16x16xi32>) -> tensor<16x8x128xf16> {
  %c15 = arith.constant 15 : i32
  %0 = fuser.broadcast %x dims [2] : tensor<128x16xi32> -> tensor<128x16x1xi32>
  %1 = fuser.broadcast %shifts dims [0, 1] : tensor<8xi32> -> tensor<1x1x8xi32>
  %2 = fuser.shift_right %0, %1 : (tensor<128x16x1xi32>, tensor<1x1x8xi32>) -> tensor<128x16x8xi32>
  %3 = fuser.bitwise_and %2, %c15 : (tensor<128x16x8xi32>, i32) -> tensor<128x16x8xi32>
  %4 = fuser.broadcast %zeros dims [2] : tensor<16x16xi32> -> tensor<16x16x1xi32>
  %5 = fuser.broadcast %shifts dims [0, 1] : tensor<8xi32> -> tensor<1x1x8xi32>
  %6 = fuser.shift_right %4, %5 : (tensor<16x16x1xi32>, tensor<1x1x8xi32>) -> tensor<16x16x8xi32>
  %7 = fuser.bitwise_and %6, %c15 : (tensor<16x16x8xi32>, i32) -> tensor<16x16x8xi32>
  %8 = fuser.reshape %3 : tensor<128x16x8xi32> -> tensor<16x8x128xi32>
  %9 = fuser.reshape %7 : tensor<16x16x8xi32> -> tensor<16x128xi32>
  %10 = fuser.broadcast %9 dims [1] : tensor<16x128xi32> -> tensor<16x1x128xi32>
  %11 = fuser.sub %8, %10 : (tensor<16x8x128xi32>, tensor<16x1x128xi32>) -> tensor<16x8x128xi32>
  %12 = fuser.cast %11 : tensor<16x8x128xi32> to tensor<16x8x128xf16>
  fuser.return %12 : tensor<16x8x128xf16>
}
