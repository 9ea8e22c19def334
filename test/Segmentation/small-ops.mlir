// RUN: fuser-explain %s --program=column_norm --sizes=32x32x10x64x64,320 --target=h200 | FileCheck %s
// RUN: fuser-run %s --program=column_norm --device=host --target=h200 --sizes=12x32x10x64x64,320 --check --rtol=0.02 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-explain %s --program=column_norm --sizes=1x32x10x64x64,320 --target=h200 | FileCheck %s --check-prefix=FEW
// RUN: fuser-explain %s --program=group_norm --sizes=32x320x64x64,320,320 --target=h200 | FileCheck %s --check-prefix=GROUPS
// RUN: fuser-run %s --program=group_norm --device=host --target=h200 --sizes=8x320x64x64,320,320 --check --rtol=0.02 --atol=0.004 | FileCheck %s --check-prefix=GROUPS-NUMBERS
// RUN: fuser-explain %s --program=filters --target=h200 | FileCheck %s --check-prefix=FILTERS
// RUN: fuser-explain %s --program=boxes --target=h200 | FileCheck %s --check-prefix=BOXES
// RUN: fuser-explain %s --program=times --target=h200 | FileCheck %s --check-prefix=TIMES
// RUN: fuser-explain %s --program=quaternions --target=h200 | FileCheck %s --check-prefix=QUATERNIONS
// A norm of the columns of channels-last images, whose result is contiguous. Of norms of groups, the transposition has tiles that
// are as wide as groups; of scales of channels, which are computed once, it has the usual ones.
// CHECK: segment 0 {{.*}}: reduction, 6 ops
// CHECK: segment 1 {{.*}}: pointwise, 3 ops
// CHECK: segment 2 {{.*}}: transpose, 4 ops
// NUMBERS: column_norm_2: grid
// NUMBERS: check {{.*}} ok
// Not for few elements: another launch takes longer.
// FEW: segment 1
// FEW-NOT: segment 2
fuser.fusion @column_norm(%a0: tensor<?x32x10x64x64xbf16>, %a1: tensor<320xbf16>) -> (tensor<?x32x10x64x64xbf16>) attributes {arg_layouts = [#fuser.layout<order = [0, 3, 4, 1, 2]>, unit], output_orders = [array<i64: 0, 1, 2, 3, 4>]} {
  %1 = fuser.cast %a0 : tensor<?x32x10x64x64xbf16> to tensor<?x32x10x64x64xf32>
  %3 = fuser.mul %1, %1 : tensor<?x32x10x64x64xf32>
  %4 = fuser.mean %3 dims [2, 3] : tensor<?x32x10x64x64xf32> -> tensor<?x32x64xf32>
  %7 = arith.constant 1.00000000000000008e-05 : f64
  %5 = fuser.broadcast %4 dims [2, 3] : tensor<?x32x64xf32> -> tensor<?x32x1x1x64xf32>
  %8 = fuser.add %5, %7 : (tensor<?x32x1x1x64xf32>, f64) -> tensor<?x32x1x1x64xf32>
  %9 = fuser.rsqrt %8 : tensor<?x32x1x1x64xf32>
  %10 = fuser.reshape %a1 : tensor<320xbf16> -> tensor<1x32x10x1x1xbf16>
  %11 = fuser.cast %10 : tensor<1x32x10x1x1xbf16> to tensor<1x32x10x1x1xf32>
  %12 = fuser.mul %9, %11 : (tensor<?x32x1x1x64xf32>, tensor<1x32x10x1x1xf32>) -> tensor<?x32x10x1x64xf32>
  %21 = fuser.mul %1, %12 : (tensor<?x32x10x64x64xf32>, tensor<?x32x10x1x64xf32>) -> tensor<?x32x10x64x64xf32>
  %26 = fuser.cast %21 : tensor<?x32x10x64x64xf32> to tensor<?x32x10x64x64xbf16>
  %27 = fuser.silu %26 : tensor<?x32x10x64x64xbf16>
  fuser.return %27 : tensor<?x32x10x64x64xbf16>
}

// Means of groups are few numbers for all pixels, with which tiles are as wide: a launch of its own for them saves nothing.
// GROUPS: segment 0 {{.*}}: reduction, 3 ops
// GROUPS: segment 1 {{.*}}: inner_persistent,
// GROUPS: segment 2 {{.*}}: transpose, 18 ops
// GROUPS-NOT: segment 3
// GROUPS-NUMBERS: group_norm_2: grid
// GROUPS-NUMBERS: check {{.*}} ok
fuser.fusion @group_norm(%a0: tensor<?x320x64x64xbf16>, %a1: tensor<320xbf16>, %a2: tensor<320xbf16>) -> (tensor<?x320x64x64xbf16>) attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, unit, unit], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %1 = fuser.cast %a0 : tensor<?x320x64x64xbf16> to tensor<?x320x64x64xf32>
  %2 = fuser.reshape %1 : tensor<?x320x64x64xf32> -> tensor<?x32x10x4096xf32>
  %3, %4 = fuser.var_mean %2 dims [2, 3] correction 0 : tensor<?x32x10x4096xf32> -> tensor<?x32xf32>, tensor<?x32xf32>
  %5 = fuser.broadcast %3 dims [2, 3] : tensor<?x32xf32> -> tensor<?x32x1x1xf32>
  %6 = fuser.broadcast %4 dims [2, 3] : tensor<?x32xf32> -> tensor<?x32x1x1xf32>
  %7 = arith.constant 1.00000000000000008e-05 : f64
  %8 = fuser.add %5, %7 : (tensor<?x32x1x1xf32>, f64) -> tensor<?x32x1x1xf32>
  %9 = fuser.rsqrt %8 : (tensor<?x32x1x1xf32>) -> tensor<?x32x1x1xf32>
  %10 = fuser.reshape %a1 : tensor<320xbf16> -> tensor<1x32x10x1xbf16>
  %11 = fuser.cast %10 : tensor<1x32x10x1xbf16> to tensor<1x32x10x1xf32>
  %12 = fuser.mul %9, %11 : (tensor<?x32x1x1xf32>, tensor<1x32x10x1xf32>) -> tensor<?x32x10x1xf32>
  %13 = fuser.neg %6 : (tensor<?x32x1x1xf32>) -> tensor<?x32x1x1xf32>
  %14 = fuser.mul %13, %12 : (tensor<?x32x1x1xf32>, tensor<?x32x10x1xf32>) -> tensor<?x32x10x1xf32>
  %15 = fuser.reshape %a2 : tensor<320xbf16> -> tensor<1x32x10x1xbf16>
  %16 = fuser.cast %15 : tensor<1x32x10x1xbf16> to tensor<1x32x10x1xf32>
  %17 = fuser.add %14, %16 : (tensor<?x32x10x1xf32>, tensor<1x32x10x1xf32>) -> tensor<?x32x10x1xf32>
  %18 = fuser.reshape %12 : tensor<?x32x10x1xf32> -> tensor<?x320xf32>
  %19 = fuser.broadcast %18 dims [2] : tensor<?x320xf32> -> tensor<?x320x1xf32>
  %20 = fuser.broadcast %19 dims [3] : tensor<?x320x1xf32> -> tensor<?x320x1x1xf32>
  %21 = fuser.mul %1, %20 : (tensor<?x320x64x64xf32>, tensor<?x320x1x1xf32>) -> tensor<?x320x64x64xf32>
  %22 = fuser.reshape %17 : tensor<?x32x10x1xf32> -> tensor<?x320xf32>
  %23 = fuser.broadcast %22 dims [2] : tensor<?x320xf32> -> tensor<?x320x1xf32>
  %24 = fuser.broadcast %23 dims [3] : tensor<?x320x1xf32> -> tensor<?x320x1x1xf32>
  %25 = fuser.add %21, %24 : (tensor<?x320x64x64xf32>, tensor<?x320x1x1xf32>) -> tensor<?x320x64x64xf32>
  %26 = fuser.cast %25 : tensor<?x320x64x64xf32> to tensor<?x320x64x64xbf16>
  %27 = fuser.silu %26 : (tensor<?x320x64x64xbf16>) -> tensor<?x320x64x64xbf16>
  fuser.return %27 : tensor<?x320x64x64xbf16>
}

// Columns of few rows that far larger values are multiplied with are stored as rows first: threads next to each other read them in
// vectors (ADR 182).
// FILTERS: fused 3 kernels
// FILTERS: segment 0 {{.*}}: pointwise, 4 ops, 1 blocks
// FILTERS: segment 1 {{.*}}: pointwise, 4 ops, 1 blocks
// FILTERS: segment 2 {{.*}}: pointwise, {{.*}} 77 MB read, 77 MB written
// FILTERS: batch 0: one launch instead of 2
fuser.fusion @filters(%x: tensor<64x56x56x192xbf16>, %w: tensor<192x2xbf16>) -> tensor<64x56x56x192xbf16> {
  %0 = fuser.cast %x : tensor<64x56x56x192xbf16> to tensor<64x56x56x192xf32>
  %1 = fuser.slice %w [0, 0] [192, 1] : tensor<192x2xbf16> -> tensor<192x1xbf16>
  %2 = fuser.reshape %1 : tensor<192x1xbf16> -> tensor<192xbf16>
  %3 = fuser.cast %2 : tensor<192xbf16> to tensor<192xf32>
  %4 = fuser.broadcast %3 dims [0, 1, 2] : tensor<192xf32> -> tensor<1x1x1x192xf32>
  %5 = fuser.mul %0, %4 : (tensor<64x56x56x192xf32>, tensor<1x1x1x192xf32>) -> tensor<64x56x56x192xf32>
  %6 = fuser.slice %w [0, 1] [192, 1] : tensor<192x2xbf16> -> tensor<192x1xbf16>
  %7 = fuser.reshape %6 : tensor<192x1xbf16> -> tensor<192xbf16>
  %8 = fuser.cast %7 : tensor<192xbf16> to tensor<192xf32>
  %9 = fuser.broadcast %8 dims [0, 1, 2] : tensor<192xf32> -> tensor<1x1x1x192xf32>
  %10 = fuser.add %5, %9 : (tensor<64x56x56x192xf32>, tensor<1x1x1x192xf32>) -> tensor<64x56x56x192xf32>
  %11 = fuser.tanh %10 : tensor<64x56x56x192xf32>
  %12 = fuser.cast %11 : tensor<64x56x56x192xf32> to tensor<64x56x56x192xbf16>
  fuser.return %12 : tensor<64x56x56x192xbf16>
}

// Columns as long as the result are read where they are.
// QUATERNIONS: fused 1 kernel
fuser.fusion @quaternions(%x: tensor<1000000x4xf32>) -> tensor<1000000xf32> {
  %0 = fuser.slice %x [0, 0] [1000000, 1] : tensor<1000000x4xf32> -> tensor<1000000x1xf32>
  %1 = fuser.reshape %0 : tensor<1000000x1xf32> -> tensor<1000000xf32>
  %2 = fuser.slice %x [0, 2] [1000000, 1] : tensor<1000000x4xf32> -> tensor<1000000x1xf32>
  %3 = fuser.reshape %2 : tensor<1000000x1xf32> -> tensor<1000000xf32>
  %4 = fuser.atan2 %1, %3 : tensor<1000000xf32>
  fuser.return %4 : tensor<1000000xf32>
}

// Columns of which nothing is computed before they are combined would not be stored by a kernel.
// BOXES: fused 1 kernel
fuser.fusion @boxes(%x: tensor<8000x4xf32>, %y: tensor<2000x4xf32>) -> tensor<8000x2000xf32> {
  %0 = fuser.slice %x [0, 0] [8000, 1] : tensor<8000x4xf32> -> tensor<8000x1xf32>
  %1 = fuser.slice %y [0, 0] [2000, 1] : tensor<2000x4xf32> -> tensor<2000x1xf32>
  %2 = fuser.reshape %1 : tensor<2000x1xf32> -> tensor<1x2000xf32>
  %3 = fuser.maximum %0, %2 : (tensor<8000x1xf32>, tensor<1x2000xf32>) -> tensor<8000x2000xf32>
  %4 = fuser.sqrt %3 : tensor<8000x2000xf32>
  fuser.return %4 : tensor<8000x2000xf32>
}

// Columns along slower dimensions are one value for adjacent threads.
// TIMES: fused 1 kernel
fuser.fusion @times(%x: tensor<256x80x1501xf32>, %t: tensor<256x2xf32>) -> tensor<256x80x1501xf32> {
  %0 = fuser.slice %t [0, 1] [256, 1] : tensor<256x2xf32> -> tensor<256x1xf32>
  %1 = fuser.neg %0 : tensor<256x1xf32>
  %2 = fuser.broadcast %1 dims [2] : tensor<256x1xf32> -> tensor<256x1x1xf32>
  %3 = fuser.mul %x, %2 : (tensor<256x80x1501xf32>, tensor<256x1x1xf32>) -> tensor<256x80x1501xf32>
  fuser.return %3 : tensor<256x80x1501xf32>
}
