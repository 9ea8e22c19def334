// RUN: fuser-explain %s --program=cat | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=stack | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=rows | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=two_inserts | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=into_live | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=cat_in_an_order | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=pad_of_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=pad_of_exp | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax_and_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=weights | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=shared_weights | FileCheck %s --check-prefix=TWO
// RUN: fuser-run %s --device=host --check --program=cat --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=stack --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=stack --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=stack --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=stack --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=rows --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=rows --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=rows --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=rows --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_inserts --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_inserts --sizes=9x9 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_live | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat_in_an_order --sizes=6x9x32 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat_in_an_order --sizes=3x7x33 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat_in_an_order --sizes=1x1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat_in_an_order --sizes=2x0x5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_argument --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_argument --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_argument --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_argument --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_exp --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_exp --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_exp --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_of_exp --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=softmax_and_argument --sizes=9x32 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=softmax_and_argument --sizes=4x33 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=weights --sizes=64x96,96 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=weights --sizes=5x7,7 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=shared_weights | FileCheck %s --implicit-check-not=fallback
// S2.1, S2.2: kernels that store parts of joined values and read the same argument are one kernel, which reads it once.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: fused {{ *}}1 kernel,
// TWO: fused {{ *}}2 kernels,

fuser.fusion @cat(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

fuser.fusion @stack(%x: tensor<?x?xf32>) -> tensor<?x4xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.min %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.mean %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %8 = fuser.cat %1, %3, %5, %7 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  fuser.return %8 : tensor<?x4xf32>
}

fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %4 = fuser.cat %1, %3 dim 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
  fuser.return %4 : tensor<2x?xf32>
}

fuser.fusion @two_inserts(%x: tensor<?x?xf32>) -> tensor<5x?xf32> {
  %0 = arith.constant 0 : index
  %1 = tensor.dim %x, %0 : tensor<?x?xf32>
  %2 = arith.constant 3.0 : f32
  %3 = fuser.full %2 sizes(%1) : f32 -> tensor<5x?xf32>
  %4 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %6 = fuser.insert_slice %5 into %3 [1, 0] : tensor<1x?xf32> into tensor<5x?xf32>
  %7 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.broadcast %7 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %9 = fuser.insert_slice %8 into %6 [3, 0] : tensor<1x?xf32> into tensor<5x?xf32>
  fuser.return %9 : tensor<5x?xf32>
}

// The destination is written before.
fuser.fusion @into_live(%x: tensor<5x30x7xf32>, %y: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %y : tensor<20x40xf32>
  %1 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.max %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %3 = fuser.insert_slice %2 into %0 [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %4 = fuser.insert_slice %1 into %3 [7, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %4 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @cat_in_an_order(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32>
    attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.sum %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.max %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// The kernel of the sums stores the argument in its padding.
fuser.fusion @pad_of_argument(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = arith.constant 2.0 : f32
  %1 = fuser.pad %x low [1, 2] high [3, 4] value %0 : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?xf32>
}

fuser.fusion @pad_of_exp(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = arith.constant 2.0 : f32
  %2 = fuser.pad %0 low [1, 2] high [3, 4] value %1 : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %3 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
}

fuser.fusion @softmax_and_argument(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.cat %6, %x dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}

// Not what is read at other indices.
fuser.fusion @weights(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = arith.constant 2.0 : f32
  %1 = fuser.pad %y low [1] high [2] value %0 : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.mul %x, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %4 : tensor<?xf32>, tensor<?xf32>
}

// Nor where one kernel would take longer.
fuser.fusion @shared_weights(%x: tensor<9x32xf32>, %y: tensor<9x32xf32>, %z: tensor<32xf32>) -> tensor<9x64xf32> {
  %0 = arith.constant 1.0e-5 : f32
  %1 = fuser.mul %x, %x : (tensor<9x32xf32>, tensor<9x32xf32>) -> tensor<9x32xf32>
  %2 = fuser.mean %1 dims [1] : tensor<9x32xf32> -> tensor<9xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<9xf32> -> tensor<9x1xf32>
  %4 = fuser.add %3, %0 : (tensor<9x1xf32>, f32) -> tensor<9x1xf32>
  %5 = fuser.rsqrt %4 : tensor<9x1xf32>
  %6 = fuser.mul %x, %5 : (tensor<9x32xf32>, tensor<9x1xf32>) -> tensor<9x32xf32>
  %7 = fuser.broadcast %z dims [0] : tensor<32xf32> -> tensor<1x32xf32>
  %8 = fuser.mul %6, %7 : (tensor<9x32xf32>, tensor<1x32xf32>) -> tensor<9x32xf32>
  %9 = arith.constant 1.0e-5 : f32
  %10 = fuser.mul %y, %y : (tensor<9x32xf32>, tensor<9x32xf32>) -> tensor<9x32xf32>
  %11 = fuser.mean %10 dims [1] : tensor<9x32xf32> -> tensor<9xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<9xf32> -> tensor<9x1xf32>
  %13 = fuser.add %12, %9 : (tensor<9x1xf32>, f32) -> tensor<9x1xf32>
  %14 = fuser.rsqrt %13 : tensor<9x1xf32>
  %15 = fuser.mul %y, %14 : (tensor<9x32xf32>, tensor<9x1xf32>) -> tensor<9x32xf32>
  %16 = fuser.broadcast %z dims [0] : tensor<32xf32> -> tensor<1x32xf32>
  %17 = fuser.mul %15, %16 : (tensor<9x32xf32>, tensor<1x32xf32>) -> tensor<9x32xf32>
  %18 = fuser.cat %8, %17 dim 1 : (tensor<9x32xf32>, tensor<9x32xf32>) -> tensor<9x64xf32>
  fuser.return %18 : tensor<9x64xf32>
}
