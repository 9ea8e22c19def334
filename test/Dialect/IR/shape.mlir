// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Every shape op round-trips in its pretty and its generic form.

// CHECK-LABEL: fuser.fusion @dims
fuser.fusion @dims(%x: tensor<?x8xf32>, %n: index) -> tensor<8x?x?xf32> {
  // CHECK: fuser.broadcast %x dims [0, 3] : tensor<?x8xf32> -> tensor<1x?x8x1xf32>
  %0 = fuser.broadcast %x dims [0, 3] : tensor<?x8xf32> -> tensor<1x?x8x1xf32>
  // CHECK: fuser.expand %{{.*}} sizes(%n) : tensor<1x?x8x1xf32> -> tensor<?x?x8x1xf32>
  %1 = fuser.expand %0 sizes(%n) : tensor<1x?x8x1xf32> -> tensor<?x?x8x1xf32>
  // CHECK: fuser.squeeze %{{.*}} dims [3] : tensor<?x?x8x1xf32> -> tensor<?x?x8xf32>
  %2 = fuser.squeeze %1 dims [3] : tensor<?x?x8x1xf32> -> tensor<?x?x8xf32>
  // CHECK: fuser.permute %{{.*}} [2, 0, 1] : tensor<?x?x8xf32> -> tensor<8x?x?xf32>
  %3 = fuser.permute %2 [2, 0, 1] : tensor<?x?x8xf32> -> tensor<8x?x?xf32>
  // CHECK: fuser.expand %{{.*}} : tensor<1x?x8x1xf32> -> tensor<4x?x8x1xf32>
  %4 = fuser.expand %0 : tensor<1x?x8x1xf32> -> tensor<4x?x8x1xf32>
  fuser.return %3 : tensor<8x?x?xf32>
}

// CHECK-LABEL: fuser.fusion @reshapes
fuser.fusion @reshapes(%x: tensor<6x4xf32>, %y: tensor<?x?x64xf32>, %z: tensor<f32>, %e: tensor<0x4xf32>, %w: tensor<?x?x?x8xf32>) -> tensor<2x12xf32> {
  // CHECK: fuser.reshape %x : tensor<6x4xf32> -> tensor<2x12xf32>
  %0 = fuser.reshape %x : tensor<6x4xf32> -> tensor<2x12xf32>
  // CHECK: fuser.reshape %x : tensor<6x4xf32> -> tensor<1x24x1xf32>
  %1 = fuser.reshape %x : tensor<6x4xf32> -> tensor<1x24x1xf32>
  // CHECK: fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?x?x4x16xf32>
  %2 = fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?x?x4x16xf32>
  // CHECK: fuser.reshape %w groups [1, 2, 1] to [1, 1, 2] : tensor<?x?x?x8xf32> -> tensor<?x?x2x4xf32>
  %g = fuser.reshape %w groups [1, 2, 1] to [1, 1, 2] : tensor<?x?x?x8xf32> -> tensor<?x?x2x4xf32>
  // CHECK: fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?x64xf32>
  %3 = fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?x64xf32>
  // CHECK: fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?xf32>
  %4 = fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?xf32>
  // CHECK: fuser.reshape %z : tensor<f32> -> tensor<1x1xf32>
  %5 = fuser.reshape %z : tensor<f32> -> tensor<1x1xf32>
  // CHECK: fuser.reshape %{{.*}} : tensor<1x1xf32> -> tensor<f32>
  %6 = fuser.reshape %5 : tensor<1x1xf32> -> tensor<f32>
  // CHECK: fuser.reshape %e : tensor<0x4xf32> -> tensor<0x2x2xf32>
  %7 = fuser.reshape %e : tensor<0x4xf32> -> tensor<0x2x2xf32>
  // CHECK: fuser.reshape %x {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, split(i2, 12) -> (i3, i4), logical = [i3, i4], loop = [i3 @thread_x, i4], allocation = [i3, i4]>]}
  %8 = fuser.reshape %x {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, split(i2, 12) -> (i3, i4),
      logical = [i3, i4], loop = [i3 @thread_x, i4]>]} : tensor<6x4xf32> -> tensor<2x12xf32>
  fuser.return %8 : tensor<2x12xf32>
}

// CHECK-LABEL: fuser.fusion @boxes
fuser.fusion @boxes(%x: tensor<8x?xf32>, %s: tensor<2x3xf32>, %z: tensor<f32>, %n: index, %v: f32) -> tensor<?x?xf32> {
  // CHECK: fuser.slice %x [1, %n] [4, %n] strides [2, 1] : tensor<8x?xf32> -> tensor<4x?xf32>
  %0 = fuser.slice %x [1, %n] [4, %n] strides [2, 1] : tensor<8x?xf32> -> tensor<4x?xf32>
  // CHECK: fuser.slice %x [0, 0] [0, 3] : tensor<8x?xf32> -> tensor<0x3xf32>
  %1 = fuser.slice %x [0, 0] [0, 3] : tensor<8x?xf32> -> tensor<0x3xf32>
  // CHECK: fuser.pad %{{.*}} low [0, -1] high [2, %n] value %v : tensor<4x?xf32>, f32 -> tensor<6x?xf32>
  %2 = fuser.pad %0 low [0, -1] high [2, %n] value %v : tensor<4x?xf32>, f32 -> tensor<6x?xf32>
  // CHECK: fuser.pad %z low [] high [] value %v : tensor<f32>, f32 -> tensor<f32>
  %3 = fuser.pad %z low [] high [] value %v : tensor<f32>, f32 -> tensor<f32>
  // CHECK: fuser.cat %{{.*}}, %x dim 0 : (tensor<6x?xf32>, tensor<8x?xf32>) -> tensor<14x?xf32>
  %4 = fuser.cat %2, %x dim 0 : (tensor<6x?xf32>, tensor<8x?xf32>) -> tensor<14x?xf32>
  // CHECK: fuser.insert_slice %s into %{{.*}} [6, %n] : tensor<2x3xf32> into tensor<14x?xf32>
  %5 = fuser.insert_slice %s into %4 [6, %n] : tensor<2x3xf32> into tensor<14x?xf32>
  // CHECK: fuser.repeat %{{.*}} [2, 1] : tensor<14x?xf32> -> tensor<28x?xf32>
  %6 = fuser.repeat %5 [2, 1] : tensor<14x?xf32> -> tensor<28x?xf32>
  // CHECK: fuser.pad %{{.*}} low [%n, 0] high [0, 0] value %v : tensor<28x?xf32>, f32 -> tensor<?x?xf32>
  %7 = fuser.pad %6 low [%n, 0] high [0, 0] value %v : tensor<28x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}

// CHECK-LABEL: fuser.fusion @factories
fuser.fusion @factories(%n: index, %v: f32, %i: i64) -> tensor<?xbf16> {
  // CHECK: fuser.full %v sizes(%n) : f32 -> tensor<?x4xf32>
  %0 = fuser.full %v sizes(%n) : f32 -> tensor<?x4xf32>
  // CHECK: fuser.full %i : i64 -> tensor<f32>
  %1 = fuser.full %i : i64 -> tensor<f32>
  // CHECK: fuser.iota %v, %i length(%n) : f32, i64 -> tensor<?xbf16>
  %2 = fuser.iota %v, %i length(%n) : f32, i64 -> tensor<?xbf16>
  // CHECK: fuser.iota %i, %n : i64, index -> tensor<16xi32>
  %3 = fuser.iota %i, %n : i64, index -> tensor<16xi32>
  fuser.return %2 : tensor<?xbf16>
}

// The dynamic dimension takes what static ones before and behind it leave.
// CHECK-LABEL: fuser.fusion @reshape_around_dynamic
fuser.fusion @reshape_around_dynamic(%x: tensor<?xf32>) -> tensor<2x?x4xf32> {
  // CHECK: fuser.reshape %x : tensor<?xf32> -> tensor<2x?x4xf32>
  %0 = fuser.reshape %x : tensor<?xf32> -> tensor<2x?x4xf32>
  fuser.return %0 : tensor<2x?x4xf32>
}
