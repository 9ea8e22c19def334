// RUN: fuser-run %s --device=host --check --program=cat_sums --sizes=8x16x40,8x33x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat_sums --sizes=3x0x40,3x5x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat_sums --sizes=3x1x1,3x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat_softmaxes --sizes=9x64,9x96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat_softmaxes --sizes=9x33,9x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat_of_kinds --sizes=12x32,32x12 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_cat --sizes=8x16x40,8x32x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat_of_pads --sizes=8x40,8x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=inserts --sizes=8x16x40,4x4x20 --scalar o=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=inserts --sizes=8x16x40,4x4x20 --scalar o=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=into_live --sizes=20x40,5x40x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_later --sizes=8x16x40,8x33x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=part_of_a_part --sizes=5x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=overlap --sizes=8x16x40,4x4x20 --scalar o=3 | FileCheck %s
// S2.2: several kernels that write their parts of one buffer, and no kernel that copies.

// CHECK: kernels {{ *}}[[NAME:[a-z_]+]]_0: grid
// CHECK: [[NAME]]_1: grid
// CHECK-NOT: [[NAME]]_2: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// Along the last dimension: strided boxes.
fuser.fusion @cat_sums(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.max %y dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

fuser.fusion @cat_softmaxes(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.max %y dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %10 = fuser.exp %9 : tensor<?x?xf32>
  %11 = fuser.sum %10 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %13 = fuser.div %10, %12 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %14 = fuser.cat %6, %13 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %14 : tensor<?x?xf32>
}

// Parts of two schedulers: a transposition and a scan.
fuser.fusion @cat_of_kinds(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.permute %y [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// A join that is a part of another one.
fuser.fusion @pad_of_cat(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.sum %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.max %y dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.pad %2 low [1, 8] high [2, 4] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

fuser.fusion @cat_of_pads(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?xf32> {
  %v = arith.constant 2.5 : f32
  %w = arith.constant -1.0 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %y dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.pad %0 low [1] high [2] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %3 = fuser.pad %1 low [3] high [0] value %w : tensor<?xf32>, f32 -> tensor<?xf32>
  %4 = fuser.cat %2, %3 dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %4 : tensor<?xf32>
}

// Two boxes in one fill, one of them at an offset of the call; the first kernel stores what is in neither.
fuser.fusion @inserts(%x: tensor<8x16x?xf32>, %y: tensor<4x4x?xf32>, %o: index) -> tensor<20x20xf32> {
  %v = arith.constant 3.0 : f32
  %f = fuser.full %v : f32 -> tensor<20x20xf32>
  %0 = fuser.sum %x dims [2] : tensor<8x16x?xf32> -> tensor<8x16xf32>
  %1 = fuser.max %y dims [2] : tensor<4x4x?xf32> -> tensor<4x4xf32>
  %2 = fuser.insert_slice %0 into %f [1, 2] : tensor<8x16xf32> into tensor<20x20xf32>
  %3 = fuser.insert_slice %1 into %2 [10, %o] : tensor<4x4xf32> into tensor<20x20xf32>
  fuser.return %3 : tensor<20x20xf32>
}

// Other readers of the destination get a value of their own.
fuser.fusion @into_live(%x: tensor<?x?xf32>, %z: tensor<5x?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %z dims [2] : tensor<5x?x?xf32> -> tensor<5x?xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 0] : tensor<5x?xf32> into tensor<?x?xf32>
  fuser.return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// A part with another reader.
fuser.fusion @read_later(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.max %y dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.neg %0 : tensor<?x?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}

// The part of a part is read where it lies, as long as the outer buffer lives.
fuser.fusion @part_of_a_part(%x: tensor<?x?xi32>) -> tensor<4x?xi32> {
  %v = arith.constant 3 : i32
  %0 = fuser.broadcast %x dims [0] : tensor<?x?xi32> -> tensor<1x?x?xi32>
  %1 = fuser.max %0 dims [2] : tensor<1x?x?xi32> -> tensor<1x?xi32>
  %2 = fuser.expand %1 : tensor<1x?xi32> -> tensor<3x?xi32>
  %3 = fuser.cat %1, %2 dim 0 : (tensor<1x?xi32>, tensor<3x?xi32>) -> tensor<4x?xi32>
  %4 = fuser.pad %3 low [0, 0] high [0, 8] value %v : tensor<4x?xi32>, i32 -> tensor<4x?xi32>
  fuser.return %4 : tensor<4x?xi32>
}

// Where boxes overlap, the later one wins.
fuser.fusion @overlap(%x: tensor<8x16x?xf32>, %y: tensor<4x4x?xf32>, %o: index) -> tensor<20x20xf32> {
  %v = arith.constant 3.0 : f32
  %f = fuser.full %v : f32 -> tensor<20x20xf32>
  %0 = fuser.sum %x dims [2] : tensor<8x16x?xf32> -> tensor<8x16xf32>
  %1 = fuser.max %y dims [2] : tensor<4x4x?xf32> -> tensor<4x4xf32>
  %2 = fuser.insert_slice %0 into %f [1, 2] : tensor<8x16xf32> into tensor<20x20xf32>
  %3 = fuser.insert_slice %1 into %2 [6, %o] : tensor<4x4xf32> into tensor<20x20xf32>
  fuser.return %3 : tensor<20x20xf32>
}
