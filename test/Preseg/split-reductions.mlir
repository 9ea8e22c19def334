// RUN: fuser-opt %s --fuser-split-reductions > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-split-reductions | diff %t.after.mlir -
// RUN: fuser-run %s --program=sum --device=host --sizes=3x4x10x7 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=sum --device=host --sizes=3x4x10x0 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=group_norm --device=host --sizes=3x20x5x7,20 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=across --device=host --sizes=2x120x5x7 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=variance --device=host --sizes=2x3x6x5 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=maximum --device=host --sizes=2x3x6x5 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-explain %s --program=group_norm --sizes=32x20x64x64,20 --target=h200 | FileCheck %s --check-prefix=KERNELS
// RUN: fuser-run %s --program=unaligned --device=host --sizes=40x6x3x5 --check | FileCheck %s --check-prefix=NUMBERS
// Short runs in memory, which kept dimensions separate, are reduced in two steps.
// NUMBERS: check {{.*}} ok
// NUMBERS-NOT: WRONG

// CHECK-LABEL: fuser.fusion @sum
// CHECK: %[[F:.*]] = fuser.cast
// CHECK: %[[S:.*]] = fuser.sum %[[F]] dims [3] : tensor<?x?x10x?xf32> -> tensor<?x?x10xf32>
// CHECK: %[[T:.*]] = fuser.sum %[[S]] dims [2] : tensor<?x?x10xf32> -> tensor<?x?xf32>
// CHECK: fuser.return %[[T]]
fuser.fusion @sum(%x: tensor<?x?x10x?xbf16>) -> tensor<?x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %0 = fuser.cast %x : tensor<?x?x10x?xbf16> to tensor<?x?x10x?xf32>
  %1 = fuser.sum %0 dims [2, 3] : tensor<?x?x10x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// The groups of channels-last images: 5 channels of 2 bytes each.
// CHECK-LABEL: fuser.fusion @group_norm
// CHECK: %[[R:.*]] = fuser.reshape {{.*}} -> tensor<?x4x5x?x?xf32>
// CHECK: %[[V:.*]], %[[M:.*]] = fuser.var_mean %[[R]] dims [3, 4] correction 0 : tensor<?x4x5x?x?xf32> -> tensor<?x4x5xf32>, tensor<?x4x5xf32>
// CHECK: %[[G:.*]] = fuser.mean %[[M]] dims [2]
// CHECK: %[[B:.*]] = fuser.broadcast %[[G]] dims [2]
// CHECK: %[[D:.*]] = fuser.sub %[[M]], %[[B]]
// CHECK: %[[Q:.*]] = fuser.mul %[[D]], %[[D]]
// CHECK: %[[S:.*]] = fuser.add %[[Q]], %[[V]]
// CHECK: %[[A:.*]] = fuser.mean %[[S]] dims [2]
// CHECK: fuser.broadcast %[[A]] dims
// CHECK: fuser.broadcast %[[G]] dims
// One kernel has both small reductions.
// KERNELS: reduction, 3 ops
// KERNELS: inner_persistent,
// KERNELS: pointwise,
// KERNELS-NOT: segment 3
fuser.fusion @group_norm(%x: tensor<?x20x?x?xbf16>, %w: tensor<20xbf16>) -> tensor<?x20x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, unit], output_orders = [array<i64: 0, 2, 3, 1>]} {
  %eps = arith.constant 1.0e-05 : f32
  %0 = fuser.cast %x : tensor<?x20x?x?xbf16> to tensor<?x20x?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x20x?x?xf32> -> tensor<?x4x5x?x?xf32>
  %var, %mean = fuser.var_mean %1 dims [2, 3, 4] correction 0 : tensor<?x4x5x?x?xf32> -> tensor<?x4xf32>, tensor<?x4xf32>
  %2 = fuser.broadcast %var dims [2, 3, 4] : tensor<?x4xf32> -> tensor<?x4x1x1x1xf32>
  %3 = fuser.broadcast %mean dims [2, 3, 4] : tensor<?x4xf32> -> tensor<?x4x1x1x1xf32>
  %4 = fuser.add %2, %eps : (tensor<?x4x1x1x1xf32>, f32) -> tensor<?x4x1x1x1xf32>
  %5 = fuser.rsqrt %4 : tensor<?x4x1x1x1xf32>
  %6 = fuser.sub %1, %3 : (tensor<?x4x5x?x?xf32>, tensor<?x4x1x1x1xf32>) -> tensor<?x4x5x?x?xf32>
  %7 = fuser.mul %6, %5 : (tensor<?x4x5x?x?xf32>, tensor<?x4x1x1x1xf32>) -> tensor<?x4x5x?x?xf32>
  %8 = fuser.reshape %7 : tensor<?x4x5x?x?xf32> -> tensor<?x20x?x?xf32>
  %9 = fuser.cast %w : tensor<20xbf16> to tensor<20xf32>
  %10 = fuser.broadcast %9 dims [0, 2, 3] : tensor<20xf32> -> tensor<1x20x1x1xf32>
  %11 = fuser.mul %8, %10 : (tensor<?x20x?x?xf32>, tensor<1x20x1x1xf32>) -> tensor<?x20x?x?xf32>
  %12 = fuser.cast %11 : tensor<?x20x?x?xf32> to tensor<?x20x?x?xbf16>
  fuser.return %12 : tensor<?x20x?x?xbf16>
}

// Runs of 60 bytes, and an output in another order.
// CHECK-LABEL: fuser.fusion @across
// CHECK: fuser.mean %{{.*}} dims [3, 4] : tensor<?x4x30x?x?xf32> -> tensor<?x4x30xf32>
// CHECK: fuser.mean %{{.*}} dims [2] : tensor<?x4x30xf32> -> tensor<?x4xf32>
fuser.fusion @across(%x: tensor<?x120x?x?xbf16>) -> tensor<?x120x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.cast %x : tensor<?x120x?x?xbf16> to tensor<?x120x?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x120x?x?xf32> -> tensor<?x4x30x?x?xf32>
  %2 = fuser.mean %1 dims [2, 3, 4] : tensor<?x4x30x?x?xf32> -> tensor<?x4xf32>
  %3 = fuser.broadcast %2 dims [2, 3, 4] : tensor<?x4xf32> -> tensor<?x4x1x1x1xf32>
  %4 = fuser.sub %1, %3 : (tensor<?x4x30x?x?xf32>, tensor<?x4x1x1x1xf32>) -> tensor<?x4x30x?x?xf32>
  %5 = fuser.reshape %4 : tensor<?x4x30x?x?xf32> -> tensor<?x120x?x?xf32>
  %6 = fuser.cast %5 : tensor<?x120x?x?xf32> to tensor<?x120x?x?xbf16>
  fuser.return %6 : tensor<?x120x?x?xbf16>
}

// CHECK-LABEL: fuser.fusion @variance
// CHECK: fuser.var_mean %{{.*}} dims [0, 3] correction 0
// CHECK: fuser.mean %{{.*}} dims [1] : tensor<?x6xf32> -> tensor<?xf32>
// CHECK: fuser.mean %{{.*}} dims [1] : tensor<?x6xf32> -> tensor<?xf32>
fuser.fusion @variance(%x: tensor<?x?x6x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %0 = fuser.neg %x : tensor<?x?x6x?xf32>
  %var, %mean = fuser.var_mean %0 dims [0, 2, 3] correction 0 : tensor<?x?x6x?xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %var, %mean : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @maximum
// CHECK: fuser.max %{{.*}} dims [0, 3]
// CHECK: fuser.max %{{.*}} dims [1]
fuser.fusion @maximum(%x: tensor<?x?x6x?xf32>) -> tensor<?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %0 = fuser.max %x dims [0, 2, 3] : tensor<?x?x6x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// Left as they are: an unbiased variance, runs of a sector, runs of a length that is not known, rows, columns, few elements, integers, and
// windows, of which the first step would leave much.
// CHECK-LABEL: fuser.fusion @unbiased
// CHECK: dims [2, 3] correction 1
fuser.fusion @unbiased(%x: tensor<?x?x6x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %var, %mean = fuser.var_mean %x dims [2, 3] correction 1 : tensor<?x?x6x?xf32> -> tensor<?x?xf32>, tensor<?x?xf32>
  fuser.return %var, %mean : tensor<?x?xf32>, tensor<?x?xf32>
}
// CHECK-LABEL: fuser.fusion @long_runs
// CHECK: fuser.sum %x dims [2, 3]
fuser.fusion @long_runs(%x: tensor<?x?x8x?xf32>) -> tensor<?x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %0 = fuser.sum %x dims [2, 3] : tensor<?x?x8x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
// CHECK-LABEL: fuser.fusion @unknown_runs
// CHECK: fuser.sum %x dims [2, 3]
fuser.fusion @unknown_runs(%x: tensor<?x?x?x?xf32>) -> tensor<?x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %0 = fuser.sum %x dims [2, 3] : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
// CHECK-LABEL: fuser.fusion @rows
// CHECK: fuser.sum %x dims [2, 3]
fuser.fusion @rows(%x: tensor<?x?x3x2xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [2, 3] : tensor<?x?x3x2xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
// CHECK-LABEL: fuser.fusion @columns
// CHECK: fuser.sum %x dims [0, 1]
fuser.fusion @columns(%x: tensor<3x2x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [0, 1] : tensor<3x2x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
// Less than a MiB.
// CHECK-LABEL: fuser.fusion @few
// CHECK: fuser.sum %x dims [0, 2]
fuser.fusion @few(%x: tensor<64x64x2xf32>) -> tensor<64xf32> {
  %0 = fuser.sum %x dims [0, 2] : tensor<64x64x2xf32> -> tensor<64xf32>
  fuser.return %0 : tensor<64xf32>
}
// CHECK-LABEL: fuser.fusion @many
// CHECK: fuser.sum %x dims [0]
// CHECK: fuser.sum %{{.*}} dims [1]
fuser.fusion @many(%x: tensor<65536x64x2xf32>) -> tensor<64xf32> {
  %0 = fuser.sum %x dims [0, 2] : tensor<65536x64x2xf32> -> tensor<64xf32>
  fuser.return %0 : tensor<64xf32>
}
// CHECK-LABEL: fuser.fusion @integers
// CHECK: fuser.sum %x dims [2, 3]
fuser.fusion @integers(%x: tensor<?x?x6x?xi32>) -> tensor<?x?xi64> attributes {arg_layouts = [#fuser.layout<order = [0, 3, 1, 2]>]} {
  %0 = fuser.sum %x dims [2, 3] : tensor<?x?x6x?xi32> -> tensor<?x?xi64>
  fuser.return %0 : tensor<?x?xi64>
}
// CHECK-LABEL: fuser.fusion @windows
// CHECK: fuser.sum %x dims [3, 5]
fuser.fusion @windows(%x: tensor<16x64x128x2x128x2xf32>) -> tensor<16x64x128x128xf32> {
  %0 = fuser.sum %x dims [3, 5] : tensor<16x64x128x2x128x2xf32> -> tensor<16x64x128x128xf32>
  fuser.return %0 : tensor<16x64x128x128xf32>
}
// Of many dimensions.
// CHECK-LABEL: fuser.fusion @rank_eight
// CHECK: fuser.sum %x dims [3, 5, 7]
fuser.fusion @rank_eight(%x: tensor<2x3x4x2x4x2x4x2xf32>) -> tensor<2x3x4x4x4xf32> {
  %0 = fuser.sum %x dims [3, 5, 7] : tensor<2x3x4x2x4x2x4x2xf32> -> tensor<2x3x4x4x4xf32>
  fuser.return %0 : tensor<2x3x4x4x4xf32>
}
// Runs that no vector of 4 bytes divides are read one by one, unless the first step reads across them.
// CHECK-LABEL: fuser.fusion @unaligned
// CHECK: fuser.var_mean %{{.*}} dims [0] correction 0 : tensor<?x?x3x5xf32> -> tensor<?x3x5xf32>, tensor<?x3x5xf32>
// CHECK: fuser.mean %{{.*}} dims [1, 2] : tensor<?x3x5xf32> -> tensor<?xf32>
fuser.fusion @unaligned(%x: tensor<?x?x3x5xbf16>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.cast %x : tensor<?x?x3x5xbf16> to tensor<?x?x3x5xf32>
  %var, %mean = fuser.var_mean %0 dims [0, 2, 3] correction 0 : tensor<?x?x3x5xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %var, %mean : tensor<?xf32>, tensor<?xf32>
}
// CHECK-LABEL: fuser.fusion @unaligned_images
// CHECK: fuser.sum %{{.*}} dims [0]
// CHECK: fuser.sum %{{.*}} dims [1, 2]
fuser.fusion @unaligned_images(%x: tensor<1024x512x7x7xbf16>) -> tensor<512xf32> {
  %0 = fuser.cast %x : tensor<1024x512x7x7xbf16> to tensor<1024x512x7x7xf32>
  %1 = fuser.sum %0 dims [0, 2, 3] : tensor<1024x512x7x7xf32> -> tensor<512xf32>
  fuser.return %1 : tensor<512xf32>
}
// Not of an even number of elements, of long runs, and less than 8 MiB.
// CHECK-LABEL: fuser.fusion @aligned_images
// CHECK: dims [0, 2, 3]
fuser.fusion @aligned_images(%x: tensor<1024x512x7x6xbf16>) -> tensor<512xf32> {
  %0 = fuser.cast %x : tensor<1024x512x7x6xbf16> to tensor<1024x512x7x6xf32>
  %1 = fuser.sum %0 dims [0, 2, 3] : tensor<1024x512x7x6xf32> -> tensor<512xf32>
  fuser.return %1 : tensor<512xf32>
}
// CHECK-LABEL: fuser.fusion @large_images
// CHECK: dims [0, 2, 3]
fuser.fusion @large_images(%x: tensor<64x64x55x55xbf16>) -> tensor<64xf32> {
  %0 = fuser.cast %x : tensor<64x64x55x55xbf16> to tensor<64x64x55x55xf32>
  %1 = fuser.sum %0 dims [0, 2, 3] : tensor<64x64x55x55xf32> -> tensor<64xf32>
  fuser.return %1 : tensor<64xf32>
}
// CHECK-LABEL: fuser.fusion @few_images
// CHECK: dims [0, 2, 3]
fuser.fusion @few_images(%x: tensor<64x512x7x7xbf16>) -> tensor<512xf32> {
  %0 = fuser.cast %x : tensor<64x512x7x7xbf16> to tensor<64x512x7x7xf32>
  %1 = fuser.sum %0 dims [0, 2, 3] : tensor<64x512x7x7xf32> -> tensor<512xf32>
  fuser.return %1 : tensor<512xf32>
}
