// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | FileCheck %s
// A kernel reads slices of every n-th element itself if it reads others of the same rows: vectors have elements of all.
// It reads the elements of windows itself, too.

// CHECK-LABEL: fuser.kernel @pairs_0
// CHECK-COUNT-2: fuser.slice
// CHECK-LABEL: fuser.host @pairs
// CHECK-NOT: fuser.view
fuser.fusion @pairs(%x: tensor<64x128xf32>) -> tensor<64x64xf32> {
  %0 = fuser.slice %x [0, 0] [64, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<64x64xf32>
  %1 = fuser.slice %x [0, 1] [64, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<64x64xf32>
  %2 = fuser.mul %0, %1 : tensor<64x64xf32>
  fuser.return %2 : tensor<64x64xf32>
}

// -----

// Columns of rows of two.
// CHECK-LABEL: fuser.kernel @columns_0
// CHECK-COUNT-2: fuser.slice
// CHECK-LABEL: fuser.host @columns
// CHECK-NOT: fuser.view
fuser.fusion @columns(%x: tensor<64x2xf32>) -> tensor<64x1xf32> {
  %0 = fuser.slice %x [0, 0] [64, 1] : tensor<64x2xf32> -> tensor<64x1xf32>
  %1 = fuser.slice %x [0, 1] [64, 1] : tensor<64x2xf32> -> tensor<64x1xf32>
  %2 = fuser.mul %0, %1 : tensor<64x1xf32>
  fuser.return %2 : tensor<64x1xf32>
}

// -----

// One slice alone, and steps that are longer than a vector.
// CHECK-LABEL: fuser.host @alone
// CHECK: fuser.view %x
fuser.fusion @alone(%x: tensor<64x128xf32>) -> tensor<64x64xf32> {
  %0 = fuser.slice %x [0, 0] [64, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<64x64xf32>
  %1 = fuser.neg %0 : tensor<64x64xf32>
  fuser.return %1 : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: fuser.host @long_steps
// CHECK-COUNT-2: fuser.view %x
fuser.fusion @long_steps(%x: tensor<64x128xf32>) -> tensor<64x16xf32> {
  %0 = fuser.slice %x [0, 0] [64, 16] strides [1, 8] : tensor<64x128xf32> -> tensor<64x16xf32>
  %1 = fuser.slice %x [0, 1] [64, 16] strides [1, 8] : tensor<64x128xf32> -> tensor<64x16xf32>
  %2 = fuser.mul %0, %1 : tensor<64x16xf32>
  fuser.return %2 : tensor<64x16xf32>
}

// -----

// Of a part of the rows.
// CHECK-LABEL: fuser.kernel @some_rows_0
// CHECK-COUNT-2: fuser.slice
// CHECK-LABEL: fuser.host @some_rows
// CHECK-NOT: fuser.view
fuser.fusion @some_rows(%x: tensor<64x128xf32>) -> tensor<32x64xf32> {
  %0 = fuser.slice %x [0, 0] [32, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<32x64xf32>
  %1 = fuser.slice %x [0, 1] [32, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<32x64xf32>
  %2 = fuser.mul %0, %1 : tensor<32x64xf32>
  fuser.return %2 : tensor<32x64xf32>
}

// -----

// Only kernels that compute element by element read at such indices.
// CHECK-LABEL: fuser.host @reduced
// CHECK-COUNT-2: fuser.view %x
fuser.fusion @reduced(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  %0 = fuser.slice %x [0, 0] [64, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<64x64xf32>
  %1 = fuser.slice %x [0, 1] [64, 64] strides [1, 2] : tensor<64x128xf32> -> tensor<64x64xf32>
  %2 = fuser.mul %0, %1 : tensor<64x64xf32>
  %3 = fuser.sum %2 dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  fuser.return %3 : tensor<64xf32>
}

// -----

// Elements of windows, along rows and columns: some are in a slice, one is the value itself.
// CHECK-LABEL: fuser.kernel @windows_0
// CHECK-COUNT-2: fuser.slice
// CHECK-LABEL: fuser.host @windows
// CHECK-NOT: fuser.view
fuser.fusion @windows(%x: tensor<8x64x128xf32>) -> tensor<8x64x128xf32> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.slice %x [0, 0, 0] [8, 63, 127] : tensor<8x64x128xf32> -> tensor<8x63x127xf32>
  %1 = fuser.pad %0 low [0, 1, 1] high [0, 0, 0] value %z : tensor<8x63x127xf32>, f32 -> tensor<8x64x128xf32>
  %2 = fuser.slice %x [0, 1, 1] [8, 63, 127] : tensor<8x64x128xf32> -> tensor<8x63x127xf32>
  %3 = fuser.pad %2 low [0, 0, 0] high [0, 1, 1] value %z : tensor<8x63x127xf32>, f32 -> tensor<8x64x128xf32>
  %4 = fuser.add %1, %x : tensor<8x64x128xf32>
  %5 = fuser.add %4, %3 : tensor<8x64x128xf32>
  fuser.return %5 : tensor<8x64x128xf32>
}

// -----

// Along dynamic dimensions, too.
// CHECK-LABEL: fuser.kernel @dynamic_windows_0
// CHECK-COUNT-2: fuser.slice
// CHECK-LABEL: fuser.host @dynamic_windows
// CHECK-NOT: fuser.view
fuser.fusion @dynamic_windows(%x: tensor<?x64x128xf32>) -> tensor<?x62x128xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant -2 : index
  %n = tensor.dim %x, %c0 : tensor<?x64x128xf32>
  %m = arith.addi %n, %c2 : index
  %0 = fuser.slice %x [0, 1, 0] [%m, 62, 128] : tensor<?x64x128xf32> -> tensor<?x62x128xf32>
  %1 = fuser.slice %x [1, 2, 0] [%m, 62, 128] : tensor<?x64x128xf32> -> tensor<?x62x128xf32>
  %2 = fuser.add %0, %1 : tensor<?x62x128xf32>
  fuser.return %2 : tensor<?x62x128xf32>
}

// -----

// Halves of rows are no windows, nor are parts along the slowest dimension, which are contiguous.
// CHECK-LABEL: fuser.host @halves
// CHECK-COUNT-2: fuser.view %x
fuser.fusion @halves(%x: tensor<64x16xf32>) -> tensor<64x8xf32> {
  %0 = fuser.slice %x [0, 0] [64, 8] : tensor<64x16xf32> -> tensor<64x8xf32>
  %1 = fuser.slice %x [0, 8] [64, 8] : tensor<64x16xf32> -> tensor<64x8xf32>
  %2 = fuser.mul %0, %1 : tensor<64x8xf32>
  fuser.return %2 : tensor<64x8xf32>
}

// -----

// CHECK-LABEL: fuser.host @differences
// CHECK-COUNT-2: fuser.view %x
fuser.fusion @differences(%x: tensor<64x128xf32>) -> tensor<63x128xf32> {
  %0 = fuser.slice %x [0, 0] [63, 128] : tensor<64x128xf32> -> tensor<63x128xf32>
  %1 = fuser.slice %x [1, 0] [63, 128] : tensor<64x128xf32> -> tensor<63x128xf32>
  %2 = fuser.sub %1, %0 : tensor<63x128xf32>
  fuser.return %2 : tensor<63x128xf32>
}

// -----

// Parts of rotated rows, which a concatenation moves again: one kernel of views.
// CHECK-LABEL: fuser.kernel @rotated_0
// CHECK-NOT: fuser.kernel @rotated_1
// CHECK-LABEL: fuser.host @rotated
// CHECK: fuser.view %x [0, 1] [64, 127]
// CHECK: fuser.launch @rotated_0
// CHECK-NOT: fuser.launch
fuser.fusion @rotated(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.slice %x [0, 127] [64, 1] : tensor<64x128xf32> -> tensor<64x1xf32>
  %1 = fuser.slice %x [0, 0] [64, 127] : tensor<64x128xf32> -> tensor<64x127xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<64x1xf32>, tensor<64x127xf32>) -> tensor<64x128xf32>
  %3 = fuser.slice %x [0, 1] [64, 127] : tensor<64x128xf32> -> tensor<64x127xf32>
  %4 = fuser.slice %x [0, 0] [64, 1] : tensor<64x128xf32> -> tensor<64x1xf32>
  %5 = fuser.cat %3, %4 dim 1 : (tensor<64x127xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %6 = fuser.add %2, %5 : tensor<64x128xf32>
  %7 = fuser.add %6, %x : tensor<64x128xf32>
  fuser.return %7 : tensor<64x128xf32>
}
