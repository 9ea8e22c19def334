// RUN: fuser-explain %s --program=transposed --target=h200 | FileCheck %s --check-prefix=TRANSPOSED
// RUN: fuser-explain %s --program=maxima --target=h200 | FileCheck %s --check-prefix=MAXIMA
// RUN: fuser-explain %s --program=orders --target=h200 | FileCheck %s --check-prefix=ORDERS
// RUN: fuser-explain %s --program=softmax --target=h200 | FileCheck %s --check-prefix=SOFTMAX
// RUN: fuser-explain %s --program=small --target=h200 | FileCheck %s --check-prefix=SMALL
// RUN: fuser-explain %s --program=odd_columns --target=h200 | FileCheck %s --check-prefix=ODD-COLUMNS
// RUN: fuser-explain %s --program=even_columns --target=h200 | FileCheck %s --check-prefix=EVEN-COLUMNS
// RUN: fuser-explain %s --program=quantized_columns --target=h200 | FileCheck %s --check-prefix=QUANTIZED-COLUMNS
// RUN: fuser-explain %s --program=odd_planes --target=h200 | FileCheck %s --check-prefix=ODD-PLANES
// RUN: fuser-explain %s --program=few_odd_columns --target=h200 | FileCheck %s --check-prefix=FEW-ODD-COLUMNS
// RUN: fuser-explain %s --program=windows --target=h200 | FileCheck %s --check-prefix=WINDOWS
// RUN: fuser-explain %s --program=filter --target=h200 | FileCheck %s --check-prefix=FILTER
// RUN: fuser-opt %s -pass-pipeline='builtin.module(fuser-segment-fusions{target=h200 explain=true})' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// Groups that one kernel computes, but more slowly than its parts do (ADR 176).

// Rows of a transposed operand would be read one element at a time.
// TRANSPOSED: fused 2 kernels
// TRANSPOSED: segment 0 {{.*}} transpose
// TRANSPOSED: segment 1 {{.*}} inner_persistent
// TRANSPOSED: boundaries
// TRANSPOSED: 0 -> 1
// REMARK: note: reduction: expected at most the {{[0-9.]+}} us that its parts take, but got {{[0-9.]+}} us
fuser.fusion @transposed(%a: tensor<4096x128x63xf32>, %b: tensor<4096x63x128xf32>) -> (tensor<4096x63x128xf32>, tensor<4096x63x128xf32>) {
  %0 = fuser.permute %a [0, 2, 1] : tensor<4096x128x63xf32> -> tensor<4096x63x128xf32>
  %1 = fuser.add %0, %b : tensor<4096x63x128xf32>
  %2 = fuser.max %1 dims [2] : tensor<4096x63x128xf32> -> tensor<4096x63xf32>
  %3 = fuser.broadcast %2 dims [2] : tensor<4096x63xf32> -> tensor<4096x63x1xf32>
  %4 = fuser.sub %1, %3 : (tensor<4096x63x128xf32>, tensor<4096x63x1xf32>) -> tensor<4096x63x128xf32>
  %5 = fuser.exp %4 : tensor<4096x63x128xf32>
  fuser.return %1, %5 : tensor<4096x63x128xf32>, tensor<4096x63x128xf32>
}

// Threads of short rows would store results with gaps between them.
// MAXIMA: fused 2 kernels
// MAXIMA-DAG: segment {{.*}} reduction, 1 op
// MAXIMA-DAG: segment {{.*}} {{pointwise|transpose}}
fuser.fusion @maxima(%x: tensor<2097152x20xf32>, %s: tensor<2097152x1xf32>) -> (tensor<2097152x20xf32>, tensor<2097152xf32>) attributes {output_orders = [array<i64: 1, 0>, array<i64: 0>]} {
  %0 = fuser.mul %x, %s : (tensor<2097152x20xf32>, tensor<2097152x1xf32>) -> tensor<2097152x20xf32>
  %1 = fuser.max %0 dims [1] : tensor<2097152x20xf32> -> tensor<2097152xf32>
  fuser.return %0, %1 : tensor<2097152x20xf32>, tensor<2097152xf32>
}

// A tile has two orders; the elements here have three.
// ORDERS: fused 2 kernels
// ORDERS: segment 0 {{.*}} transpose
// ORDERS: segment 1 {{.*}} transpose
fuser.fusion @orders(%a: tensor<64x64x64x64xf32>) -> (tensor<64x64x64x64xf32>, tensor<64x64x64x64xf32>) attributes {output_orders = [array<i64: 0, 2, 3, 1>, array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.exp %a : tensor<64x64x64x64xf32>
  %1 = fuser.permute %0 [0, 1, 3, 2] : tensor<64x64x64x64xf32> -> tensor<64x64x64x64xf32>
  %2 = fuser.neg %1 : tensor<64x64x64x64xf32>
  fuser.return %0, %2 : tensor<64x64x64x64xf32>, tensor<64x64x64x64xf32>
}

// Whatever reads a row twice stays one kernel.
// SOFTMAX: fused 1 kernel
fuser.fusion @softmax(%x: tensor<4096x200000xf32>) -> tensor<4096x200000xf32> {
  %0 = fuser.max %x dims [1] : tensor<4096x200000xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<4096x200000xf32>, tensor<4096x1xf32>) -> tensor<4096x200000xf32>
  fuser.return %2 : tensor<4096x200000xf32>
}

// A second launch takes longer than the accesses of a few elements.
// SMALL: fused 1 kernel
fuser.fusion @small(%a: tensor<4x128x63xf32>, %b: tensor<4x63x128xf32>) -> (tensor<4x63x128xf32>, tensor<4x63xf32>) {
  %0 = fuser.permute %a [0, 2, 1] : tensor<4x128x63xf32> -> tensor<4x63x128xf32>
  %1 = fuser.add %0, %b : tensor<4x63x128xf32>
  %2 = fuser.max %1 dims [2] : tensor<4x63x128xf32> -> tensor<4x63xf32>
  fuser.return %1, %2 : tensor<4x63x128xf32>, tensor<4x63xf32>
}

// Adjacent strips of columns share sectors if no row begins at one (ADR 177).
// ODD-COLUMNS: fused 2 kernels
// ODD-COLUMNS: segment 0 {{.*}} reduction
// ODD-COLUMNS: segment 1 {{.*}} pointwise
fuser.fusion @odd_columns(%x: tensor<16384x4001xf32>) -> tensor<16384x4001xf32> {
  %variance, %mean = fuser.var_mean %x dims [0] correction 0 : tensor<16384x4001xf32> -> tensor<4001xf32>, tensor<4001xf32>
  %0 = fuser.broadcast %variance dims [0] : tensor<4001xf32> -> tensor<1x4001xf32>
  %1 = fuser.broadcast %mean dims [0] : tensor<4001xf32> -> tensor<1x4001xf32>
  %2 = fuser.sub %x, %1 : (tensor<16384x4001xf32>, tensor<1x4001xf32>) -> tensor<16384x4001xf32>
  %3 = fuser.div %2, %0 : (tensor<16384x4001xf32>, tensor<1x4001xf32>) -> tensor<16384x4001xf32>
  fuser.return %3 : tensor<16384x4001xf32>
}

// EVEN-COLUMNS: fused 1 kernel
// EVEN-COLUMNS: segment 0 {{.*}} outer_persistent
fuser.fusion @even_columns(%x: tensor<16384x4000xf32>) -> tensor<16384x4000xf32> {
  %variance, %mean = fuser.var_mean %x dims [0] correction 0 : tensor<16384x4000xf32> -> tensor<4000xf32>, tensor<4000xf32>
  %0 = fuser.broadcast %variance dims [0] : tensor<4000xf32> -> tensor<1x4000xf32>
  %1 = fuser.broadcast %mean dims [0] : tensor<4000xf32> -> tensor<1x4000xf32>
  %2 = fuser.sub %x, %1 : (tensor<16384x4000xf32>, tensor<1x4000xf32>) -> tensor<16384x4000xf32>
  %3 = fuser.div %2, %0 : (tensor<16384x4000xf32>, tensor<1x4000xf32>) -> tensor<16384x4000xf32>
  fuser.return %3 : tensor<16384x4000xf32>
}

// Elements of planes are copied one by one, and the loop of a reduction over few of each plane is unrolled.
// ODD-PLANES: fused 2 kernels
// ODD-PLANES: segment 0 {{.*}} reduction, 1 op, {{.*}}, 5{{[0-9.]+}} us
// ODD-PLANES: segment 1 {{.*}} pointwise
fuser.fusion @odd_planes(%x: tensor<512x128x29x29xf32>) -> tensor<512x128x29x29xf32> {
  %variance, %mean = fuser.var_mean %x dims [0, 2, 3] correction 0 : tensor<512x128x29x29xf32> -> tensor<128xf32>, tensor<128xf32>
  %0 = fuser.broadcast %variance dims [0, 2, 3] : tensor<128xf32> -> tensor<1x128x1x1xf32>
  %1 = fuser.broadcast %mean dims [0, 2, 3] : tensor<128xf32> -> tensor<1x128x1x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<512x128x29x29xf32>, tensor<1x128x1x1xf32>) -> tensor<512x128x29x29xf32>
  %3 = fuser.div %2, %0 : (tensor<512x128x29x29xf32>, tensor<1x128x1x1xf32>) -> tensor<512x128x29x29xf32>
  fuser.return %3 : tensor<512x128x29x29xf32>
}

// Strips of few rows find the sectors of others in a cache.
// FEW-ODD-COLUMNS: fused 1 kernel
// FEW-ODD-COLUMNS: segment 0 {{.*}} outer_persistent
fuser.fusion @few_odd_columns(%x: tensor<300x333x101xf32>) -> tensor<300x333x101xf32> {
  %variance, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<300x333x101xf32> -> tensor<300x101xf32>, tensor<300x101xf32>
  %0 = fuser.broadcast %variance dims [1] : tensor<300x101xf32> -> tensor<300x1x101xf32>
  %1 = fuser.broadcast %mean dims [1] : tensor<300x101xf32> -> tensor<300x1x101xf32>
  %2 = fuser.sub %x, %1 : (tensor<300x333x101xf32>, tensor<300x1x101xf32>) -> tensor<300x333x101xf32>
  %3 = fuser.div %2, %0 : (tensor<300x333x101xf32>, tensor<300x1x101xf32>) -> tensor<300x333x101xf32>
  fuser.return %3 : tensor<300x333x101xf32>
}

// What is computed of rows is part of the reduction, and the conversion of the argument is not stored.
// QUANTIZED-COLUMNS: fused 2 kernels
// QUANTIZED-COLUMNS: segment 0 {{.*}} reduction, 5 ops
// QUANTIZED-COLUMNS: segment 1 {{.*}} pointwise, 4 ops
fuser.fusion @quantized_columns(%x: tensor<16384x4096xbf16>) -> (tensor<1x4096xf32>, tensor<16384x4096xi8>) {
  %c = arith.constant 127.0 : f64
  %0 = fuser.abs %x : tensor<16384x4096xbf16>
  %1 = fuser.max %0 dims [0] : tensor<16384x4096xbf16> -> tensor<4096xbf16>
  %2 = fuser.broadcast %1 dims [0] : tensor<4096xbf16> -> tensor<1x4096xbf16>
  %3 = fuser.cast %2 : tensor<1x4096xbf16> to tensor<1x4096xf32>
  %4 = fuser.div %3, %c : (tensor<1x4096xf32>, f64) -> tensor<1x4096xf32>
  %5 = fuser.cast %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %6 = fuser.div %5, %4 : (tensor<16384x4096xf32>, tensor<1x4096xf32>) -> tensor<16384x4096xf32>
  %7 = fuser.round %6 : tensor<16384x4096xf32>
  %8 = fuser.cast %7 : tensor<16384x4096xf32> to tensor<16384x4096xi8>
  fuser.return %4, %8 : tensor<1x4096xf32>, tensor<16384x4096xi8>
}

// An argument that is read at several offsets is read in whole sectors: both sums take about as long as one (ADR 182).
// WINDOWS: fused 1 kernel
fuser.fusion @windows(%g: tensor<8x512x8193xf32>, %x: tensor<8x512x8191xf32>) -> (tensor<512xf32>, tensor<512xf32>) {
  %c = arith.constant 0.0 : f64
  %0 = fuser.pad %x low [0, 0, 2] high [0, 0, 0] value %c : tensor<8x512x8191xf32>, f64 -> tensor<8x512x8193xf32>
  %1 = fuser.mul %g, %0 : tensor<8x512x8193xf32>
  %2 = fuser.sum %1 dims [0, 2] : tensor<8x512x8193xf32> -> tensor<512xf32>
  %3 = fuser.pad %x low [0, 0, 1] high [0, 0, 1] value %c : tensor<8x512x8191xf32>, f64 -> tensor<8x512x8193xf32>
  %4 = fuser.mul %g, %3 : tensor<8x512x8193xf32>
  %5 = fuser.sum %4 dims [0, 2] : tensor<8x512x8193xf32> -> tensor<512xf32>
  fuser.return %2, %5 : tensor<512xf32>, tensor<512xf32>
}

// Differences along the slower dimension of a result whose operand has the other order: tiles are transposed only where each value
// is read at one offset, so that the last op is the kernel that does it.
// FILTER: fused 2 kernels
// FILTER: segment 0 {{.*}} pointwise
// FILTER: segment 1 {{.*}} transpose, 1 op
fuser.fusion @filter(%x: tensor<4x2048x4352xbf16>) -> tensor<4x4352x2048xbf16> attributes {output_orders = [array<i64: 0, 1, 2>]} {
  %c = arith.constant 0.0 : f64
  %0 = fuser.permute %x [0, 2, 1] : tensor<4x2048x4352xbf16> -> tensor<4x4352x2048xbf16>
  %1 = fuser.pad %0 low [0, 0, 2] high [0, 0, 0] value %c : tensor<4x4352x2048xbf16>, f64 -> tensor<4x4352x2050xbf16>
  %2 = fuser.slice %1 [0, 0, 0] [4, 4352, 2048] : tensor<4x4352x2050xbf16> -> tensor<4x4352x2048xbf16>
  %3 = fuser.slice %1 [0, 0, 1] [4, 4352, 2048] : tensor<4x4352x2050xbf16> -> tensor<4x4352x2048xbf16>
  %4 = fuser.slice %1 [0, 0, 2] [4, 4352, 2048] : tensor<4x4352x2050xbf16> -> tensor<4x4352x2048xbf16>
  %5 = fuser.sub %2, %3 : tensor<4x4352x2048xbf16>
  %6 = fuser.mul %5, %4 : tensor<4x4352x2048xbf16>
  %7 = fuser.silu %6 : tensor<4x4352x2048xbf16>
  fuser.return %7 : tensor<4x4352x2048xbf16>
}
