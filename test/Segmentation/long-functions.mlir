// RUN: fuser-explain %s --program=rope --sizes=512,192x512x96 --target=h200 | FileCheck %s
// RUN: fuser-run %s --program=rope --device=host --target=h200 --sizes=512,32x512x96 --check --rtol=0.02 | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-explain %s --program=rope --sizes=512,1x512x96 --target=h200 | FileCheck %s --check-prefix=FEW
// RUN: fuser-explain %s --program=biases --size=x=64x12x197x197 --target=h200 | FileCheck %s --check-prefix=BIASES
// RUN: fuser-explain %s --program=biases --size=x=1x12x197x197 --target=h200 | FileCheck %s --check-prefix=FEW-BIASES
// RUN: fuser-explain %s --program=waves --sizes=4096x4096,4096 --target=h200 | FileCheck %s --check-prefix=WAVES
// Sines and cosines of few angles are computed once, by a kernel of their own, and not by each thread that rotates by them. What
// is left is one kernel, since no repeat is in it.
// CHECK: segment 0 {{.*}}: pointwise, 16 ops
// CHECK: segment 1 {{.*}}: pointwise,
// CHECK-NOT: segment 2
// NUMBERS: check {{.*}} ok
// Not for few elements: another launch takes longer.
// FEW-NOT: segment 2
fuser.fusion @rope(%positions: tensor<512xi64>, %x: tensor<?x512x96xbf16>) -> tensor<?x512x96xbf16> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %0 = fuser.iota %zero, %two : i64, i64 -> tensor<48xi64>
  %1 = fuser.cast %0 : tensor<48xi64> to tensor<48xf32>
  %width = arith.constant 96.0 : f64
  %2 = fuser.div %1, %width : (tensor<48xf32>, f64) -> tensor<48xf32>
  %base = arith.constant 10000.0 : f64
  %3 = fuser.pow %base, %2 : (f64, tensor<48xf32>) -> tensor<48xf32>
  %4 = fuser.reciprocal %3 : tensor<48xf32>
  %5 = fuser.broadcast %positions dims [1] : tensor<512xi64> -> tensor<512x1xi64>
  %6 = fuser.cast %5 : tensor<512x1xi64> to tensor<512x1xf32>
  %7 = fuser.broadcast %4 dims [0] : tensor<48xf32> -> tensor<1x48xf32>
  %8 = fuser.mul %6, %7 : (tensor<512x1xf32>, tensor<1x48xf32>) -> tensor<512x48xf32>
  %9 = fuser.cat %8, %8 dim 1 : (tensor<512x48xf32>, tensor<512x48xf32>) -> tensor<512x96xf32>
  %10 = fuser.cos %9 : tensor<512x96xf32>
  %11 = fuser.cast %10 : tensor<512x96xf32> to tensor<512x96xbf16>
  %12 = fuser.sin %9 : tensor<512x96xf32>
  %13 = fuser.cast %12 : tensor<512x96xf32> to tensor<512x96xbf16>
  %14 = fuser.broadcast %11 dims [0] : tensor<512x96xbf16> -> tensor<1x512x96xbf16>
  %15 = fuser.mul %x, %14 : (tensor<?x512x96xbf16>, tensor<1x512x96xbf16>) -> tensor<?x512x96xbf16>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x512x96xbf16>
  %16 = fuser.slice %x [0, 0, 48] [%n, 512, 48] : tensor<?x512x96xbf16> -> tensor<?x512x48xbf16>
  %17 = fuser.neg %16 : tensor<?x512x48xbf16>
  %18 = fuser.slice %x [0, 0, 0] [%n, 512, 48] : tensor<?x512x96xbf16> -> tensor<?x512x48xbf16>
  %19 = fuser.cat %17, %18 dim 2 : (tensor<?x512x48xbf16>, tensor<?x512x48xbf16>) -> tensor<?x512x96xbf16>
  %20 = fuser.broadcast %13 dims [0] : tensor<512x96xbf16> -> tensor<1x512x96xbf16>
  %21 = fuser.mul %19, %20 : (tensor<?x512x96xbf16>, tensor<1x512x96xbf16>) -> tensor<?x512x96xbf16>
  %22 = fuser.add %15, %21 : tensor<?x512x96xbf16>
  fuser.return %22 : tensor<?x512x96xbf16>
}

// A piece that a scheduler takes as a whole.
// WAVES: segment 0 {{.*}}: pointwise, 3 ops
// WAVES: segment 1 {{.*}}: pointwise,
fuser.fusion @waves(%x: tensor<?x?xf32>, %t: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.lgamma %t : tensor<?xf32>
  %1 = fuser.sin %0 : tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.mul %x, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// Biases of a table at data-dependent indices are read for each element of the scores otherwise.
// BIASES: segment 0 {{.*}}: pointwise, 7 ops
// BIASES: segment 1 {{.*}}: inner_persistent
// BIASES-NOT: segment 2
// FEW-BIASES-NOT: segment 1
fuser.fusion @biases(%x: tensor<?x12x197x197xbf16>, %table: tensor<729x12xbf16>, %i: tensor<38809xi64>) -> tensor<?x12x197x197xbf16> {
  %zero = arith.constant 0 : i64
  %size = arith.constant 729 : i64
  %isNegative = fuser.lt %i, %zero : (tensor<38809xi64>, i64) -> tensor<38809xi1>
  %wrapped = fuser.add %i, %size : (tensor<38809xi64>, i64) -> tensor<38809xi64>
  %index = fuser.where %isNegative, %wrapped, %i : (tensor<38809xi1>, tensor<38809xi64>, tensor<38809xi64>) -> tensor<38809xi64>
  %0 = fuser.index_select %table, %index dim 0 : tensor<729x12xbf16>, tensor<38809xi64> -> tensor<38809x12xbf16>
  %1 = fuser.reshape %0 : tensor<38809x12xbf16> -> tensor<197x197x12xbf16>
  %2 = fuser.permute %1 [2, 0, 1] : tensor<197x197x12xbf16> -> tensor<12x197x197xbf16>
  %3 = fuser.broadcast %2 dims [0] : tensor<12x197x197xbf16> -> tensor<1x12x197x197xbf16>
  %4 = fuser.add %x, %3 : (tensor<?x12x197x197xbf16>, tensor<1x12x197x197xbf16>) -> tensor<?x12x197x197xbf16>
  %5 = fuser.cast %4 : tensor<?x12x197x197xbf16> to tensor<?x12x197x197xf32>
  %6 = fuser.max %5 dims [3] : tensor<?x12x197x197xf32> -> tensor<?x12x197xf32>
  %7 = fuser.broadcast %6 dims [3] : tensor<?x12x197xf32> -> tensor<?x12x197x1xf32>
  %8 = fuser.sub %5, %7 : (tensor<?x12x197x197xf32>, tensor<?x12x197x1xf32>) -> tensor<?x12x197x197xf32>
  %9 = fuser.exp %8 : tensor<?x12x197x197xf32>
  %10 = fuser.sum %9 dims [3] : tensor<?x12x197x197xf32> -> tensor<?x12x197xf32>
  %11 = fuser.broadcast %10 dims [3] : tensor<?x12x197xf32> -> tensor<?x12x197x1xf32>
  %12 = fuser.div %9, %11 : (tensor<?x12x197x197xf32>, tensor<?x12x197x1xf32>) -> tensor<?x12x197x197xf32>
  %13 = fuser.cast %12 : tensor<?x12x197x197xf32> to tensor<?x12x197x197xbf16>
  fuser.return %13 : tensor<?x12x197x197xbf16>
}
