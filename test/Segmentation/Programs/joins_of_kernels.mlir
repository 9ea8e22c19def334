// RUN: fuser-run %s --device=host --check --program=pad_sum --sizes=70x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_sum --sizes=1x4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_sum --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_sum --sizes=5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_outer_sum --sizes=40x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_outer_sum --sizes=40x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_softmax --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_softmax --sizes=9x101 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_softmax --sizes=0x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_layer_norm --sizes=17x256,256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_layer_norm --sizes=3x77,77 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop --sizes=50x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop --sizes=5x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_transpose --sizes=100x48 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_scan --sizes=9x30 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=source_pad_sum --sizes=33x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=source_pad_sum --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=into_argument --sizes=64x40,16x40x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=into_alias --sizes=64x40,64x16x20 | FileCheck %s
// S2.1, S2.2, S2.3, S2.6: one kernel that stores its results in a box of a buffer and the border around it, whatever scheduler
// takes it: values other than 0, several dimensions, crops, known and unknown sizes, results without elements.

// CHECK: kernels {{ *}}[[NAME:[a-z_]+]]_0: grid
// CHECK-NOT: [[NAME]]_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @pad_sum(%x: tensor<?x?xf32>, %v: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.relu %0 : tensor<?xf32>
  %2 = fuser.pad %1 low [2] high [3] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

fuser.fusion @pad_outer_sum(%x: tensor<?x?xbf16>, %v: f32) -> tensor<?xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.pad %0 low [8] high [1] value %v : tensor<?xbf16>, f32 -> tensor<?xbf16>
  fuser.return %1 : tensor<?xbf16>
}

fuser.fusion @pad_softmax(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.pad %6 low [1, 4] high [2, 8] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}

fuser.fusion @pad_layer_norm(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>, %v: f32) -> tensor<?x?xbf16> {
  %eps = arith.constant 1.0e-5 : f32
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.mean %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.mul %3, %3 : tensor<?x?xf32>
  %5 = fuser.mean %4 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.add %6, %eps : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %8 = fuser.rsqrt %7 : tensor<?x1xf32>
  %9 = fuser.mul %3, %8 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %10 = fuser.cast %9 : tensor<?x?xf32> to tensor<?x?xbf16>
  %11 = fuser.broadcast %w dims [0] : tensor<?xbf16> -> tensor<1x?xbf16>
  %12 = fuser.mul %10, %11 : (tensor<?x?xbf16>, tensor<1x?xbf16>) -> tensor<?x?xbf16>
  %13 = fuser.pad %12 low [0, 8] high [3, 16] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  fuser.return %13 : tensor<?x?xbf16>
}

fuser.fusion @crop(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %v = arith.constant 0.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [-3] high [-2] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @pad_transpose(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.pad %0 low [3, 4] high [1, 8] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

fuser.fusion @pad_scan(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.pad %0 low [1, 3] high [0, 2] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// The source, its pad and its row sums.
fuser.fusion @source_pad_sum(%x: tensor<?x?xf32>, %v: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.pad %0 low [1, 4] high [1, 4] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// One copy of what stays live, then in place.
fuser.fusion @into_argument(%x: tensor<?x?xf32>, %z: tensor<16x?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %z dims [2] : tensor<16x?x?xf32> -> tensor<16x?xf32>
  %1 = fuser.insert_slice %0 into %x [8, 0] : tensor<16x?xf32> into tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// In place along any dimension.
fuser.fusion @into_alias(%x: tensor<?x?xf32>, %z: tensor<?x16x?xf32>) -> tensor<?x?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.sum %z dims [2] : tensor<?x16x?xf32> -> tensor<?x16xf32>
  %1 = fuser.insert_slice %0 into %x [0, 8] : tensor<?x16xf32> into tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
