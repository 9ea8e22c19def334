// RUN: fuser-opt %s --fuser-choose-schedules="target=h200" | FileCheck %s
// Vectors along merged columns divide the distance between the rows of an argument that has some of the columns, as the
// lowering requires (the kernel was split).

// CHECK-LABEL: fuser.kernel @nibbles
// CHECK-SAME: vector = 4
fuser.kernel @nibbles(%shifts: tensor<8xi32>, %packed: tensor<8192x512xi32>, %scales: tensor<128x4096xf32>) -> tensor<128x64x4096xf16> attributes {
    arg_layouts = [unit, unit, #fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<stride_divisible 2[0], 4>]} {
  %1 = fuser.broadcast %packed dims [2] : tensor<8192x512xi32> -> tensor<8192x512x1xi32>
  %2 = fuser.broadcast %shifts dims [0, 1] : tensor<8xi32> -> tensor<1x1x8xi32>
  %3 = fuser.shift_right %1, %2 : (tensor<8192x512x1xi32>, tensor<1x1x8xi32>) -> tensor<8192x512x8xi32>
  %4 = fuser.reshape %3 : tensor<8192x512x8xi32> -> tensor<8192x4096xi32>
  %5 = fuser.reshape %4 : tensor<8192x4096xi32> -> tensor<128x64x4096xi32>
  %6 = fuser.broadcast %scales dims [1] : tensor<128x4096xf32> -> tensor<128x1x4096xf32>
  %7 = fuser.cast %5 : tensor<128x64x4096xi32> to tensor<128x64x4096xf32>
  %8 = fuser.mul %7, %6 : (tensor<128x64x4096xf32>, tensor<128x1x4096xf32>) -> tensor<128x64x4096xf32>
  %9 = fuser.cast %8 : tensor<128x64x4096xf32> to tensor<128x64x4096xf16>
  fuser.return %9 : tensor<128x64x4096xf16>
}
