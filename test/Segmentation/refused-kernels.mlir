// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions 2>&1 | FileCheck %s
// The pad is stored around the values of the segment, so that its kernel has another output. The remark names the scheduler that
// accepted the segment, and its reason to refuse this kernel, not the first one that accepts neither.

// CHECK: remark: a kernel of 3 ops is split, because no schedule of it can be lowered: 'streaming': expected enough rows
fuser.fusion @f(%x: tensor<64x256xf32>) -> (tensor<64x264xf32>, tensor<64x256xf32>) {
  %0 = fuser.mean %x dims [0] : tensor<64x256xf32> -> tensor<256xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<256xf32> -> tensor<1x256xf32>
  %2 = fuser.sub %x, %1 : (tensor<64x256xf32>, tensor<1x256xf32>) -> tensor<64x256xf32>
  %v = arith.constant 1.5 : f32
  %3 = fuser.pad %2 low [0, 8] high [0, 0] value %v : tensor<64x256xf32>, f32 -> tensor<64x264xf32>
  fuser.return %3, %2 : tensor<64x264xf32>, tensor<64x256xf32>
}
