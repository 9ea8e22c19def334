// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | FileCheck %s
// A kernel that reads a tensor as a whole also reads an aligned slice of its rows itself; other parts are views.

// CHECK-LABEL: fuser.kernel @slices_0
// CHECK-COUNT-2: fuser.slice
// CHECK-LABEL: fuser.host @slices
// CHECK-NOT: fuser.view
fuser.fusion @slices(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.slice %x [0, 64] [64, 64] : tensor<64x128xf32> -> tensor<64x64xf32>
  %1 = fuser.slice %x [0, 0] [64, 64] : tensor<64x128xf32> -> tensor<64x64xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>
  %3 = fuser.add %x, %2 : tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: fuser.host @unaligned
// CHECK: fuser.view %x [0, 63] [64, 65]
// CHECK-NOT: fuser.view
fuser.fusion @unaligned(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.slice %x [0, 63] [64, 65] : tensor<64x128xf32> -> tensor<64x65xf32>
  %1 = fuser.slice %x [0, 0] [64, 63] : tensor<64x128xf32> -> tensor<64x63xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<64x65xf32>, tensor<64x63xf32>) -> tensor<64x128xf32>
  %3 = fuser.add %x, %2 : tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: fuser.host @crops
// CHECK: fuser.view %x [0, 64] [64, 64]
// CHECK: fuser.view %x [0, 0] [64, 64]
fuser.fusion @crops(%x: tensor<64x128xf32>, %v: f32) -> tensor<64x128xf32> {
  %0 = fuser.pad %x low [0, -64] high [0, 0] value %v : tensor<64x128xf32>, f32 -> tensor<64x64xf32>
  %1 = fuser.pad %x low [0, 0] high [0, -64] value %v : tensor<64x128xf32>, f32 -> tensor<64x64xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>
  %3 = fuser.add %x, %2 : tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: fuser.host @rows
// CHECK: fuser.view %x [32, 0] [32, 128]
// CHECK: fuser.view %x [0, 0] [32, 128]
fuser.fusion @rows(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.slice %x [32, 0] [32, 128] : tensor<64x128xf32> -> tensor<32x128xf32>
  %1 = fuser.slice %x [0, 0] [32, 128] : tensor<64x128xf32> -> tensor<32x128xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<32x128xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %3 = fuser.add %x, %2 : tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: fuser.host @no_rows
// CHECK: fuser.view %x [] []
fuser.fusion @no_rows(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = fuser.slice %x [] [] : tensor<f32> -> tensor<f32>
  %1 = fuser.exp %x : tensor<f32>
  %2 = fuser.neg %0 : tensor<f32>
  fuser.return %1, %2 : tensor<f32>, tensor<f32>
}

// -----

// One element of long rows is a view: the concatenation of a roll by one takes it, next to what reads the rows in place.
// CHECK-LABEL: fuser.kernel @rolled_0
// CHECK: fuser.cat
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @rolled
// CHECK: fuser.view %x [0, 0] [64, 1]
fuser.fusion @rolled(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.slice %x [0, 1] [64, 127] : tensor<64x128xf32> -> tensor<64x127xf32>
  %1 = fuser.slice %x [0, 0] [64, 1] : tensor<64x128xf32> -> tensor<64x1xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<64x127xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %3 = fuser.sub %2, %x : tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// -----

// One element of rows that a vector has stays in the kernel.
// CHECK-LABEL: fuser.kernel @short_rows_0
// CHECK: fuser.slice
// CHECK-LABEL: fuser.host @short_rows
// CHECK-NOT: fuser.view
fuser.fusion @short_rows(%x: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %0 = fuser.slice %x [0, 0] [64, 1] : tensor<64x4xf32> -> tensor<64x1xf32>
  %1 = fuser.sub %x, %0 : (tensor<64x4xf32>, tensor<64x1xf32>) -> tensor<64x4xf32>
  fuser.return %1 : tensor<64x4xf32>
}
