// RUN: fuser-explain %s --program=pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=cat | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=insert | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=into_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=of_reshape | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=cat_of_reshapes | FileCheck %s --check-prefix=TWO
// RUN: fuser-run %s --device=host --check --program=pad | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=insert | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_argument | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=of_reshape | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat_of_reshapes | FileCheck %s --implicit-check-not=fallback
// S2.5: an output that is a reshape of a joined value is a view of its buffer: the kernels of the parts write it.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: fused {{ *}}1 kernel,
// TWO: fused {{ *}}2 kernels,

fuser.fusion @pad(%x: tensor<64x40xf32>) -> tensor<8x10xf32> {
  %0 = fuser.sum %x dims [1] : tensor<64x40xf32> -> tensor<64xf32>
  %1 = arith.constant 2.0 : f32
  %2 = fuser.pad %0 low [8] high [8] value %1 : tensor<64xf32>, f32 -> tensor<80xf32>
  %3 = fuser.reshape %2 : tensor<80xf32> -> tensor<8x10xf32>
  fuser.return %3 : tensor<8x10xf32>
}

fuser.fusion @cat(%x: tensor<6x40xf32>, %y: tensor<4x40xf32>) -> tensor<10x5x8xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.exp %2 : tensor<6x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %6 = fuser.div %3, %5 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %7 = fuser.max %y dims [1] : tensor<4x40xf32> -> tensor<4xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<4x40xf32>, tensor<4x1xf32>) -> tensor<4x40xf32>
  %10 = fuser.exp %9 : tensor<4x40xf32>
  %11 = fuser.sum %10 dims [1] : tensor<4x40xf32> -> tensor<4xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %13 = fuser.div %10, %12 : (tensor<4x40xf32>, tensor<4x1xf32>) -> tensor<4x40xf32>
  %14 = fuser.cat %6, %13 dim 0 : (tensor<6x40xf32>, tensor<4x40xf32>) -> tensor<10x40xf32>
  %15 = fuser.reshape %14 : tensor<10x40xf32> -> tensor<10x5x8xf32>
  fuser.return %15 : tensor<10x5x8xf32>
}

fuser.fusion @insert(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x8x5xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  %3 = fuser.reshape %2 : tensor<20x40xf32> -> tensor<20x8x5xf32>
  fuser.return %0, %3 : tensor<20x40xf32>, tensor<20x8x5xf32>
}

fuser.fusion @into_argument(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>) -> tensor<20x8x5xf32> {
  %0 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.insert_slice %0 into %x [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  %2 = fuser.reshape %1 : tensor<20x40xf32> -> tensor<20x8x5xf32>
  fuser.return %2 : tensor<20x8x5xf32>
}

fuser.fusion @of_reshape(%x: tensor<64x40xf32>) -> tensor<10x12xf32> {
  %0 = fuser.sum %x dims [1] : tensor<64x40xf32> -> tensor<64xf32>
  %1 = fuser.reshape %0 : tensor<64xf32> -> tensor<8x8xf32>
  %2 = arith.constant 2.0 : f32
  %3 = fuser.pad %1 low [1, 1] high [1, 3] value %2 : tensor<8x8xf32>, f32 -> tensor<10x12xf32>
  fuser.return %3 : tensor<10x12xf32>
}

fuser.fusion @cat_of_reshapes(%x: tensor<6x40xf32>, %y: tensor<4x40xf32>) -> tensor<10x5x8xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.exp %2 : tensor<6x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %6 = fuser.div %3, %5 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %7 = fuser.reshape %6 : tensor<6x40xf32> -> tensor<6x5x8xf32>
  %8 = fuser.max %y dims [1] : tensor<4x40xf32> -> tensor<4xf32>
  %9 = fuser.broadcast %8 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %10 = fuser.sub %y, %9 : (tensor<4x40xf32>, tensor<4x1xf32>) -> tensor<4x40xf32>
  %11 = fuser.exp %10 : tensor<4x40xf32>
  %12 = fuser.sum %11 dims [1] : tensor<4x40xf32> -> tensor<4xf32>
  %13 = fuser.broadcast %12 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %14 = fuser.div %11, %13 : (tensor<4x40xf32>, tensor<4x1xf32>) -> tensor<4x40xf32>
  %15 = fuser.reshape %14 : tensor<4x40xf32> -> tensor<4x5x8xf32>
  %16 = fuser.cat %7, %15 dim 0 : (tensor<6x5x8xf32>, tensor<4x5x8xf32>) -> tensor<10x5x8xf32>
  fuser.return %16 : tensor<10x5x8xf32>
}
