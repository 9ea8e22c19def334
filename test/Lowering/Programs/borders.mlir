// S2.1: what surrounds the parts of a buffer is stored by all threads of the grid in turn, after the ops of the kernel.
// RUN: fuser-run %s --device=host --check --program=pad_sum --size x=37x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_sum --size x=0x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_sum --size x=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_rows --size x=5x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_rows --size x=0x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_rows --size x=3x7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_boxes | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_bools --size x=5x9x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=inserts --scalar o=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=inserts --scalar o=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=inserts --scalar o=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert_into_fill --size x=100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert_into_fill --size x=96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert_into_fill --size x=0 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=pad_long_rows --size x=2x65536 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=pad_long_rows --size x=0x65536 | FileCheck %s
// RUN: fuser-run %s --target=h200 --no-run --program=pad_long_rows --dump-after=launched | FileCheck %s --check-prefix=CLUSTERS

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// Before and after the box, single elements.
fuser.fusion @pad_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %v = arith.constant 0.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [2] high [3] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Dynamic extents of rows, a value that is converted.
fuser.fusion @pad_rows(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %v = arith.constant -1.25 : bf16
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  %3 = fuser.pad %2 low [1, 8] high [0, 16] value %v : tensor<?x?xbf16>, bf16 -> tensor<?x?xbf16>
  fuser.return %3 : tensor<?x?xbf16>
}

// Three dimensions, vectors of 4; a box at the beginning, at the end, and in the middle of its dimension.
fuser.fusion @pad_boxes(%x: tensor<6x5x64xf32>) -> tensor<8x9x96xf32> {
  %v = arith.constant 2.0 : f32
  %0 = fuser.max %x dims [2] : tensor<6x5x64xf32> -> tensor<6x5xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<6x5xf32> -> tensor<6x5x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x5x64xf32>, tensor<6x5x1xf32>) -> tensor<6x5x64xf32>
  %3 = fuser.pad %2 low [0, 4, 12] high [2, 0, 20] value %v : tensor<6x5x64xf32>, f32 -> tensor<8x9x96xf32>
  fuser.return %3 : tensor<8x9x96xf32>
}

// Elements that are stored as bytes.
fuser.fusion @pad_bools(%x: tensor<?x?x4xi1>) -> tensor<?x?xi1> {
  %v = arith.constant true
  %0 = fuser.any %x dims [2] : tensor<?x?x4xi1> -> tensor<?x?xi1>
  %1 = fuser.pad %0 low [1, 3] high [2, 1] value %v : tensor<?x?xi1>, i1 -> tensor<?x?xi1>
  fuser.return %1 : tensor<?x?xi1>
}

// Two boxes, one at an offset of the call.
fuser.fusion @inserts(%x: tensor<8x16x64xf32>, %y: tensor<4x4x64xf32>, %o: index) -> tensor<20x20xf32> {
  %v = arith.constant 3.0 : f32
  %f = fuser.full %v : f32 -> tensor<20x20xf32>
  %0 = fuser.sum %x dims [2] : tensor<8x16x64xf32> -> tensor<8x16xf32>
  %1 = fuser.max %y dims [2] : tensor<4x4x64xf32> -> tensor<4x4xf32>
  %2 = fuser.insert_slice %0 into %f [1, 2] : tensor<8x16xf32> into tensor<20x20xf32>
  %3 = fuser.insert_slice %1 into %2 [10, %o] : tensor<4x4xf32> into tensor<20x20xf32>
  fuser.return %3 : tensor<20x20xf32>
}

// Rows on clusters of blocks, all of whose threads run the border in turn.
// CLUSTERS: fuser_loop.kernel @pad_long_rows_0(
// CLUSTERS: cluster 8
// CLUSTERS: in_turn
fuser.fusion @pad_long_rows(%x: tensor<?x65536xf32>, %v: f32) -> tensor<?x65552xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x65536xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x65536xf32>, tensor<?x1xf32>) -> tensor<?x65536xf32>
  %3 = fuser.pad %2 low [1, 8] high [0, 8] value %v : tensor<?x65536xf32>, f32 -> tensor<?x65552xf32>
  fuser.return %3 : tensor<?x65552xf32>
}

// A constant extent with a box of a dynamic size, in vectors.
fuser.fusion @insert_into_fill(%x: tensor<?xbf16>) -> (tensor<bf16>, tensor<102xbf16>, tensor<?xbf16>) {
  %v = arith.constant 1.5 : bf16
  %0 = fuser.sub %x, %x : tensor<?xbf16>
  %1 = fuser.min %x dims [0] : tensor<?xbf16> -> tensor<bf16>
  %2 = fuser.full %v : bf16 -> tensor<102xbf16>
  %3 = fuser.insert_slice %0 into %2 [2] : tensor<?xbf16> into tensor<102xbf16>
  fuser.return %1, %3, %0 : tensor<bf16>, tensor<102xbf16>, tensor<?xbf16>
}
