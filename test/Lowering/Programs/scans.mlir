// RUN: sed -n 's|^// CASE:|%s --device=host --check|p' %s > %t.lines
// RUN: fuser-run --batch %t.lines
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-emit-ptx="output=%t.ptx" -o /dev/null
// Scans of all element types through all phases: rows of less than a warp, of a warp, of a block and of several tiles, chained tiles, odd
// lengths, empty ones, columns. Pointwise producers and consumers are in the same kernel.

// CASE: --program=sums_f32 --sizes=33x20
// CASE: --program=sums_f32 --sizes=7x1
// CASE: --program=sums_f32 --sizes=0x40
// CASE: --program=sums_f32 --sizes=40x0
// CASE: --program=sums_f32 --sizes=5x500
// CASE: --program=sums_f32 --sizes=5x4100
// CASE: --program=sums_f32 --sizes=3x2049
// CASE: --program=sums_f32 --sizes=2x20000
// CASE: --program=columns_f32 --sizes=300x20
// CASE: --program=columns_f32 --sizes=1x20
// CASE: --program=columns_f32 --sizes=0x20
// CASE: --program=columns_f32 --sizes=50x1
// CASE: --program=columns_f32 --sizes=9x4097
// CASE: --program=columns_f32 --sizes=2100x4
// CASE: --program=middle_bf16 --sizes=3x70x40
// CASE: --program=middle_bf16 --sizes=1x1000x8
// CASE: --program=line_f64 --sizes=1
// CASE: --program=line_f64 --sizes=9000
// CASE: --program=bf16 --sizes=4x4096
// CASE: --program=f16 --sizes=4x100
// CASE: --program=counts --sizes=4x3000
// CASE: --program=i32 --sizes=4x77
// CASE: --program=i8 --sizes=4x640
// CASE: --program=bools --sizes=4x100
// CASE: --program=c64 --sizes=4x1500
// CASE: --program=c128 --sizes=4x50
// CASE: --program=c64_products --sizes=4x50
// CASE: --program=products --sizes=4x40
// CASE: --program=extremes --sizes=6x1000
// CASE: --program=two --sizes=9x300,9
// CASE: --program=transposed --sizes=20x64
// CASE: --program=reshaped --sizes=4x8x300
// CASE: --program=split --sizes=40x32
// CASE: --program=unit --sizes=20x1,20x64
// CASE: --program=suffixes --sizes=33x20
// CASE: --program=suffixes --sizes=5x500
// CASE: --program=suffixes --sizes=5x4100
// CASE: --program=suffixes --sizes=3x2049
// CASE: --program=suffixes --sizes=2x20000
// CASE: --program=suffixes --sizes=3x0
// CASE: --program=suffixes_of_columns --sizes=300x20
// CASE: --program=suffixes_of_columns --sizes=9x4097
// CASE: --program=suffixes_of_columns --sizes=2100x4
// CASE: --program=preceding --sizes=33x20
// CASE: --program=preceding --sizes=5x4100
// CASE: --program=preceding --sizes=2x20000
// CASE: --program=preceding --sizes=7x1
// CASE: --program=both_directions --sizes=9x300
// CASE: --program=both_directions --sizes=9x33
// CASE: --program=both_directions --sizes=2x9000
// CASE: --program=logarithms --sizes=9x300
// CASE: --program=logarithms --sizes=3x4100
// CASE: --program=logarithms_of_columns --sizes=300x20
// CASE: --program=extreme_logarithms --sizes=6x1000

fuser.fusion @sums_f32(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.abs %x : tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.sub %1, %x : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
fuser.fusion @columns_f32(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
fuser.fusion @middle_bf16(%x: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?x?xbf16> -> tensor<?x?x?xbf16>
  %1 = fuser.relu %0 : tensor<?x?x?xbf16>
  fuser.return %1 : tensor<?x?x?xbf16>
}
fuser.fusion @line_f64(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = fuser.cumsum %x dim 0 : tensor<?xf64> -> tensor<?xf64>
  fuser.return %0 : tensor<?xf64>
}
fuser.fusion @bf16(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
fuser.fusion @f16(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf16> -> tensor<?x?xf16>
  fuser.return %0 : tensor<?x?xf16>
}
fuser.fusion @counts(%x: tensor<?x?xi1>) -> tensor<?x?xi64> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xi1> -> tensor<?x?xi64>
  fuser.return %0 : tensor<?x?xi64>
}
fuser.fusion @i32(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = fuser.cumprod %x dim 1 : tensor<?x?xi32> -> tensor<?x?xi32>
  fuser.return %0 : tensor<?x?xi32>
}
fuser.fusion @i8(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %0 = fuser.cummin %x dim 1 : tensor<?x?xi8> -> tensor<?x?xi8>
  fuser.return %0 : tensor<?x?xi8>
}
fuser.fusion @bools(%x: tensor<?x?xi1>) -> tensor<?x?xi1> {
  %0 = fuser.cummax %x dim 1 : tensor<?x?xi1> -> tensor<?x?xi1>
  fuser.return %0 : tensor<?x?xi1>
}
fuser.fusion @c64(%x: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  fuser.return %0 : tensor<?x?xcomplex<f32>>
}
fuser.fusion @c128(%x: tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xcomplex<f64>> -> tensor<?x?xcomplex<f64>>
  fuser.return %0 : tensor<?x?xcomplex<f64>>
}
fuser.fusion @c64_products(%x: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  %0 = fuser.cumprod %x dim 1 : tensor<?x?xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  fuser.return %0 : tensor<?x?xcomplex<f32>>
}
fuser.fusion @products(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumprod %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
// From a NaN on, NaN.
fuser.fusion @extremes(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.log %x : tensor<?x?xf32>
  %1 = fuser.cummax %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cummin %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
fuser.fusion @two(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.broadcast %w dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %2 = fuser.cumsum %1 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.cummax %2 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.sub %3, %1 : tensor<?x?xf32>
  fuser.return %4, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
fuser.fusion @transposed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
fuser.fusion @reshaped(%x: tensor<4x8x?xf32>) -> tensor<4x?xf32> {
  %0 = fuser.exp %x : tensor<4x8x?xf32>
  %1 = fuser.cumsum %0 dim 2 : tensor<4x8x?xf32> -> tensor<4x8x?xf32>
  %2 = fuser.reshape %1 : tensor<4x8x?xf32> -> tensor<4x?xf32>
  %3 = fuser.cumsum %2 dim 1 : tensor<4x?xf32> -> tensor<4x?xf32>
  fuser.return %3 : tensor<4x?xf32>
}
fuser.fusion @split(%x: tensor<?x32xf32>) -> tensor<?x8x4xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x32xf32> -> tensor<?x32xf32>
  %1 = fuser.reshape %0 : tensor<?x32xf32> -> tensor<?x4x8xf32>
  %2 = fuser.permute %1 [0, 2, 1] : tensor<?x4x8xf32> -> tensor<?x8x4xf32>
  fuser.return %2 : tensor<?x8x4xf32>
}
fuser.fusion @unit(%x: tensor<?x1xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x1xf32> -> tensor<?x1xf32>
  %1 = fuser.add %0, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.cumsum %1 dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
fuser.fusion @suffixes(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.cumsum %x dim 1 reverse : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.cummax %0 dim 1 reverse exclusive : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
fuser.fusion @suffixes_of_columns(%x: tensor<?x?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) {
  %0 = fuser.cumsum %x dim 0 reverse : tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fuser.cummin %x dim 0 reverse exclusive : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0, %1 : tensor<?x?xbf16>, tensor<?x?xbf16>
}
fuser.fusion @preceding(%x: tensor<?x?xi32>) -> (tensor<?x?xi64>, tensor<?x?xi32>, tensor<?x?xi32>) {
  %0 = fuser.cumsum %x dim 1 exclusive : tensor<?x?xi32> -> tensor<?x?xi64>
  %1 = fuser.cumprod %x dim 1 exclusive : tensor<?x?xi32> -> tensor<?x?xi32>
  %2 = fuser.cummin %x dim 1 : tensor<?x?xi32> -> tensor<?x?xi32>
  fuser.return %0, %1, %2 : tensor<?x?xi64>, tensor<?x?xi32>, tensor<?x?xi32>
}
fuser.fusion @both_directions(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.cumsum %x dim 1 reverse exclusive : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.mul %0, %1 : tensor<?x?xf32>
  %3 = fuser.max %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
}
fuser.fusion @logarithms(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = arith.constant 40.0 : f32
  %0 = fuser.mul %x, %c : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %1 = fuser.logcumsumexp %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.logcumsumexp %0 dim 1 reverse : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
fuser.fusion @logarithms_of_columns(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.logcumsumexp %x dim 0 : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
// Elements that are -inf, from some on infinite, and from some on NaN.
fuser.fusion @extreme_logarithms(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.log %0 : tensor<?x?xf32>
  %2 = fuser.logcumsumexp %1 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.reciprocal %0 : tensor<?x?xf32>
  %4 = fuser.logcumsumexp %3 dim 1 exclusive : tensor<?x?xf32> -> tensor<?x?xf32>
  %5 = fuser.log %x : tensor<?x?xf32>
  %6 = fuser.logcumsumexp %5 dim 1 reverse : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %2, %4, %6 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
