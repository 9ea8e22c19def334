// RUN: fuser-explain %s --program=into_cat | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=into_pad | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=into_dead_pad | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=steps | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=steps_of_live | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=cat_into_live | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=pad_into_live | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=pad_into_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=pad_and_cat | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=two_pads | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=pad_in_two_orders | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=pad_twice | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=cats_of_padded | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=deep | FileCheck %s --check-prefix=FOUR
// RUN: fuser-explain %s --program=read | FileCheck %s --check-prefix=THREE
// RUN: fuser-run %s --device=host --check --program=into_cat | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_pad | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_dead_pad | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=steps | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=steps_of_live | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cat_into_live | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_into_live | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_into_argument | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_and_cat | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_pads | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_in_two_orders --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_in_two_orders --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_in_two_orders --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_in_two_orders --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_twice --sizes=33x48 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_twice --sizes=5x101 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_twice --sizes=1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=pad_twice --sizes=0x8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cats_of_padded | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=deep | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=read | FileCheck %s --implicit-check-not=fallback
// S2.2, S2.3: a joined value that is returned, read, or a part or the destination of other joins is stored to each of these by the
// kernels of its parts.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: fused {{ *}}1 kernel,
// TWO: fused {{ *}}2 kernels,
// THREE: fused {{ *}}3 kernels,
// FOUR: fused {{ *}}4 kernels,

fuser.fusion @into_cat(%x: tensor<10x40xf32>, %y: tensor<10x40xf32>, %z: tensor<5x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %x dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %3 = fuser.exp %2 : tensor<10x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %7 = fuser.max %y dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %10 = fuser.exp %9 : tensor<10x40xf32>
  %11 = fuser.sum %10 dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %13 = fuser.div %10, %12 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %14 = fuser.cat %6, %13 dim 0 : (tensor<10x40xf32>, tensor<10x40xf32>) -> tensor<20x40xf32>
  %15 = fuser.sum %z dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %16 = fuser.insert_slice %15 into %14 [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %14, %16 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @into_pad(%x: tensor<10x40xf32>, %y: tensor<5x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %x dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %3 = fuser.exp %2 : tensor<10x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %7 = arith.constant 2.0 : f32
  %8 = fuser.pad %6 low [5, 0] high [5, 0] value %7 : tensor<10x40xf32>, f32 -> tensor<20x40xf32>
  %9 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %8 [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %8, %10 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @into_dead_pad(%x: tensor<10x40xf32>, %y: tensor<5x30x7xf32>) -> tensor<20x40xf32> {
  %0 = fuser.max %x dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %3 = fuser.exp %2 : tensor<10x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x40xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x40xf32>, tensor<10x1xf32>) -> tensor<10x40xf32>
  %7 = arith.constant 2.0 : f32
  %8 = fuser.pad %6 low [5, 0] high [5, 0] value %7 : tensor<10x40xf32>, f32 -> tensor<20x40xf32>
  %9 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %8 [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %10 : tensor<20x40xf32>
}

// Both steps of two insertions are returned.
fuser.fusion @steps(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>, %z: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.insert_slice %0 into %x [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  %2 = fuser.max %z dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %4 = fuser.sub %z, %3 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %5 = fuser.exp %4 : tensor<5x30xf32>
  %6 = fuser.sum %5 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %8 = fuser.div %5, %7 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %9 = fuser.insert_slice %8 into %1 [9, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %1, %9 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @steps_of_live(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>, %z: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [3, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  %3 = fuser.max %z dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %5 = fuser.sub %z, %4 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %6 = fuser.exp %5 : tensor<5x30xf32>
  %7 = fuser.sum %6 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %9 = fuser.div %6, %8 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %2 [9, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2, %10 : tensor<20x40xf32>, tensor<20x40xf32>, tensor<20x40xf32>
}

// A joined part is inserted: the kernel of its parts runs after the one of the destination.
fuser.fusion @cat_into_live(%x: tensor<5x30x7xf32>, %y: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.max %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<5x30xf32>, tensor<5x30xf32>) -> tensor<10x30xf32>
  %3 = fuser.exp %y : tensor<20x40xf32>
  %4 = fuser.insert_slice %2 into %3 [3, 4] : tensor<10x30xf32> into tensor<20x40xf32>
  fuser.return %3, %4 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @pad_into_live(%x: tensor<5x30x7xf32>, %y: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = arith.constant 2.0 : f32
  %2 = fuser.pad %0 low [1, 1] high [1, 1] value %1 : tensor<5x30xf32>, f32 -> tensor<7x32xf32>
  %3 = fuser.exp %y : tensor<20x40xf32>
  %4 = fuser.insert_slice %2 into %3 [3, 4] : tensor<7x32xf32> into tensor<20x40xf32>
  fuser.return %3, %4 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @pad_into_argument(%x: tensor<5x30x7xf32>, %y: tensor<20x40xf32>) -> tensor<20x40xf32> {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = arith.constant 2.0 : f32
  %2 = fuser.pad %0 low [1, 1] high [1, 1] value %1 : tensor<5x30xf32>, f32 -> tensor<7x32xf32>
  %3 = fuser.insert_slice %2 into %y [3, 4] : tensor<7x32xf32> into tensor<20x40xf32>
  fuser.return %3 : tensor<20x40xf32>
}

fuser.fusion @pad_and_cat(%x: tensor<10x24xf32>, %y: tensor<10x16xf32>) -> (tensor<10x40xf32>, tensor<13x48xf32>) {
  %0 = fuser.max %x dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %3 = fuser.exp %2 : tensor<10x24xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %7 = fuser.max %y dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %10 = fuser.exp %9 : tensor<10x16xf32>
  %11 = fuser.sum %10 dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %13 = fuser.div %10, %12 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %14 = fuser.cat %6, %13 dim 1 : (tensor<10x24xf32>, tensor<10x16xf32>) -> tensor<10x40xf32>
  %15 = arith.constant 2.0 : f32
  %16 = fuser.pad %14 low [1, 4] high [2, 4] value %15 : tensor<10x40xf32>, f32 -> tensor<13x48xf32>
  fuser.return %14, %16 : tensor<10x40xf32>, tensor<13x48xf32>
}

fuser.fusion @two_pads(%x: tensor<10x24xf32>, %y: tensor<10x16xf32>) -> (tensor<13x48xf32>, tensor<11x41xf32>) {
  %0 = fuser.max %x dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %3 = fuser.exp %2 : tensor<10x24xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %7 = fuser.max %y dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %10 = fuser.exp %9 : tensor<10x16xf32>
  %11 = fuser.sum %10 dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %13 = fuser.div %10, %12 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %14 = fuser.cat %6, %13 dim 1 : (tensor<10x24xf32>, tensor<10x16xf32>) -> tensor<10x40xf32>
  %15 = arith.constant 2.0 : f32
  %16 = fuser.pad %14 low [1, 4] high [2, 4] value %15 : tensor<10x40xf32>, f32 -> tensor<13x48xf32>
  %17 = arith.constant 2.0 : f32
  %18 = fuser.pad %14 low [0, 1] high [1, 0] value %17 : tensor<10x40xf32>, f32 -> tensor<11x41xf32>
  fuser.return %16, %18 : tensor<13x48xf32>, tensor<11x41xf32>
}

fuser.fusion @pad_in_two_orders(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = arith.constant 2.0 : f32
  %8 = fuser.pad %6 low [1, 4] high [2, 4] value %7 : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %8, %8 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @pad_twice(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = arith.constant 2.0 : f32
  %2 = fuser.pad %0 low [1] high [2] value %1 : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %2, %2 : tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @cats_of_padded(%x: tensor<10x24xf32>, %y: tensor<10x16xf32>) -> (tensor<10x32xf32>, tensor<10x48xf32>, tensor<10x48xf32>) {
  %0 = fuser.max %x dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %3 = fuser.exp %2 : tensor<10x24xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %7 = arith.constant 2.0 : f32
  %8 = fuser.pad %6 low [0, 4] high [0, 4] value %7 : tensor<10x24xf32>, f32 -> tensor<10x32xf32>
  %9 = fuser.max %y dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %10 = fuser.broadcast %9 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %11 = fuser.sub %y, %10 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %12 = fuser.exp %11 : tensor<10x16xf32>
  %13 = fuser.sum %12 dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %14 = fuser.broadcast %13 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %15 = fuser.div %12, %14 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %16 = fuser.cat %8, %15 dim 1 : (tensor<10x32xf32>, tensor<10x16xf32>) -> tensor<10x48xf32>
  %17 = fuser.cat %15, %8 dim 1 : (tensor<10x16xf32>, tensor<10x32xf32>) -> tensor<10x48xf32>
  fuser.return %8, %16, %17 : tensor<10x32xf32>, tensor<10x48xf32>, tensor<10x48xf32>
}

fuser.fusion @deep(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<20x40xf32>, %w: tensor<4x6x9xf32>) -> (tensor<20x40xf32>, tensor<10x10xf32>, tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %3 = fuser.exp %2 : tensor<4x8xf32>
  %4 = fuser.sum %3 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %6 = fuser.div %3, %5 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %7 = fuser.max %y dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %10 = fuser.exp %9 : tensor<4x8xf32>
  %11 = fuser.sum %10 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %13 = fuser.div %10, %12 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %14 = fuser.cat %6, %13 dim 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %15 = arith.constant 2.0 : f32
  %16 = fuser.pad %14 low [1, 1] high [1, 1] value %15 : tensor<8x8xf32>, f32 -> tensor<10x10xf32>
  %17 = fuser.exp %z : tensor<20x40xf32>
  %18 = fuser.insert_slice %16 into %17 [2, 3] : tensor<10x10xf32> into tensor<20x40xf32>
  %19 = fuser.sum %w dims [2] : tensor<4x6x9xf32> -> tensor<4x6xf32>
  %20 = fuser.insert_slice %19 into %18 [5, 6] : tensor<4x6xf32> into tensor<20x40xf32>
  fuser.return %17, %16, %18, %20 : tensor<20x40xf32>, tensor<10x10xf32>, tensor<20x40xf32>, tensor<20x40xf32>
}

// Another kernel reads the joined value.
fuser.fusion @read(%x: tensor<10x24xf32>, %y: tensor<10x16xf32>) -> (tensor<10x40xf32>, tensor<5x80xf32>) {
  %0 = fuser.max %x dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %3 = fuser.exp %2 : tensor<10x24xf32>
  %4 = fuser.sum %3 dims [1] : tensor<10x24xf32> -> tensor<10xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %6 = fuser.div %3, %5 : (tensor<10x24xf32>, tensor<10x1xf32>) -> tensor<10x24xf32>
  %7 = fuser.max %y dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %10 = fuser.exp %9 : tensor<10x16xf32>
  %11 = fuser.sum %10 dims [1] : tensor<10x16xf32> -> tensor<10xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<10xf32> -> tensor<10x1xf32>
  %13 = fuser.div %10, %12 : (tensor<10x16xf32>, tensor<10x1xf32>) -> tensor<10x16xf32>
  %14 = fuser.cat %6, %13 dim 1 : (tensor<10x24xf32>, tensor<10x16xf32>) -> tensor<10x40xf32>
  %15 = fuser.reshape %14 : tensor<10x40xf32> -> tensor<5x80xf32>
  fuser.return %14, %15 : tensor<10x40xf32>, tensor<5x80xf32>
}
