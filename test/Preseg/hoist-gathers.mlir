// RUN: fuser-opt %s --fuser-hoist-gathers > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-hoist-gathers | diff %t.after.mlir -
// RUN: fuser-run %s --program=narrow --device=reference --sizes=10x6,7 --range 1=-2:12 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=narrow --device=reference --sizes=10x6,7 --range 1=-2:12 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=few --device=reference --sizes=4x100,4x8 --range 1=-2:103 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=few --device=reference --sizes=4x100,4x8 --range 1=-2:103 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=pick --device=reference --sizes=4x100,4,4x1 --range 2=-2:103 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=pick --device=reference --sizes=4x100,4,4x1 --range 2=-2:103 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=permuted_rows --device=reference --range 1=-2:425 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=permuted_rows --device=reference --range 1=-2:425 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=permuted_rows --device=host --check --range 1=-2:425 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --program=permuted_rows --no-run --target=h200 --dump-after=accessed | FileCheck %s --check-prefix=ROWS
// RUN: fuser-run %s --program=unknown_rows --device=reference --sizes=3x3x4x5x16,6 --range 1=-2:65 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=unknown_rows --device=reference --sizes=3x3x4x5x16,6 --range 1=-2:65 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=weights --device=reference --range 1=-2:12 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=weights --device=reference --range 1=-2:12 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-opt %s --fuser-preseg | FileCheck %s --check-prefix=SLICED
// CHECKED: check {{.*}} ok
// A function that keeps 0 is computed on what is gathered, where that gathers or computes less; indices outside read 0.

// A narrower table is read, however many elements there are.
// CHECK-LABEL: fuser.fusion @narrow
// CHECK-SAME: (%[[T:[a-z0-9]+]]: tensor<10x?xbf16>, %[[I:[a-z0-9]+]]: tensor<?xi64>)
// CHECK-NEXT: %[[G:.*]] = fuser.index_select %[[T]], %[[I]] dim 0 : tensor<10x?xbf16>, tensor<?xi64> -> tensor<?x?xbf16>
// CHECK-NEXT: %[[C:.*]] = fuser.cast %[[G]] : tensor<?x?xbf16> to tensor<?x?xf32>
// CHECK-NEXT: fuser.return %[[C]]
fuser.fusion @narrow(%t: tensor<10x?xbf16>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %0 = fuser.cast %t : tensor<10x?xbf16> to tensor<10x?xf32>
  %1 = fuser.index_select %0, %i dim 0 : tensor<10x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// Fewer elements are computed, through two functions.
// CHECK-LABEL: fuser.fusion @few
// CHECK-NEXT: %[[G:.*]] = fuser.take_along_axis %{{.*}}, %{{.*}} dim 1 : tensor<4x100xf32>, tensor<4x8xi64> -> tensor<4x8xf32>
// CHECK-NEXT: %[[T:.*]] = fuser.tanh %[[G]] : tensor<4x8xf32>
// CHECK-NEXT: %[[A:.*]] = fuser.abs %[[T]] : tensor<4x8xf32>
// CHECK-NEXT: fuser.return %[[A]]
fuser.fusion @few(%x: tensor<4x100xf32>, %i: tensor<4x8xi64>) -> tensor<4x8xf32> {
  %0 = fuser.tanh %x : tensor<4x100xf32>
  %1 = fuser.abs %0 : tensor<4x100xf32>
  %2 = fuser.take_along_axis %1, %i dim 1 : tensor<4x100xf32>, tensor<4x8xi64> -> tensor<4x8xf32>
  fuser.return %2 : tensor<4x8xf32>
}

// One element of each row is picked before all that is computed of rows, though others need the rows; 0 outside.
// CHECK-LABEL: fuser.fusion @pick
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x?xbf16>, %{{.*}}: tensor<?xf32>, %[[I:[a-z0-9]+]]: tensor<?x1xi32>)
// CHECK: %[[M:.*]] = fuser.broadcast
// CHECK: fuser.sum
// CHECK: %[[P:.*]] = fuser.take_along_axis %[[X]], %[[I]] dim 1 : tensor<?x?xbf16>, tensor<?x1xi32> -> tensor<?x1xbf16>
// CHECK: %[[C:.*]] = fuser.cast %[[P]] : tensor<?x1xbf16> to tensor<?x1xf32>
// CHECK: %[[S:.*]] = fuser.sub %[[C]], %[[M]] : tensor<?x1xf32>
// CHECK: %[[E:.*]] = fuser.exp %[[S]] : tensor<?x1xf32>
// CHECK: %[[J:.*]] = fuser.cast %[[I]]
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: %[[N:.*]] = arith.index_cast %[[D]]
// CHECK: %[[GE:.*]] = fuser.ge %[[J]],
// CHECK: %[[LT:.*]] = fuser.lt %[[J]], %[[N]]
// CHECK: %[[IN:.*]] = fuser.logical_and %[[GE]], %[[LT]]
// CHECK: %[[W:.*]] = fuser.where %[[IN]], %[[E]],
// CHECK: fuser.return %{{.*}}, %[[W]]
fuser.fusion @pick(%x: tensor<?x?xbf16>, %m: tensor<?xf32>, %i: tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xf32>) {
  %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.sub %0, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3 = fuser.sum %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %4 = fuser.take_along_axis %2, %i dim 1 : tensor<?x?xf32>, tensor<?x1xi32> -> tensor<?x1xf32>
  fuser.return %3, %4 : tensor<?xf32>, tensor<?x1xf32>
}

// Does nothing where f(0) is not 0, where all elements are needed, where more are gathered than there were or nobody
// knows how many.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: %[[E:.*]] = fuser.exp
// CHECK-NEXT: fuser.gather %[[E]]
// CHECK: %[[T:.*]] = fuser.tanh
// CHECK-NEXT: fuser.gather %[[T]]
// CHECK: %[[R:.*]] = fuser.relu
// CHECK-NEXT: fuser.index_select %[[R]]
// CHECK: %[[Q:.*]] = fuser.relu
// CHECK-NEXT: fuser.index_select %[[Q]]
fuser.fusion @stays(%x: tensor<4x100xf32>, %i: tensor<4x8xi64>, %j: tensor<1000xi64>, %k: tensor<?xi64>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x100xf32>, tensor<1000x100xf32>, tensor<?x100xf32>) {
  %0 = fuser.exp %x : tensor<4x100xf32>
  %1 = fuser.gather %0, %i dim 1 : tensor<4x100xf32>, tensor<4x8xi64> -> tensor<4x8xf32>
  %2 = fuser.tanh %x : tensor<4x100xf32>
  %3 = fuser.gather %2, %i dim 1 : tensor<4x100xf32>, tensor<4x8xi64> -> tensor<4x8xf32>
  %4 = fuser.relu %x : tensor<4x100xf32>
  %5 = fuser.index_select %4, %j dim 0 : tensor<4x100xf32>, tensor<1000xi64> -> tensor<1000x100xf32>
  %6 = fuser.relu %x : tensor<4x100xf32>
  %7 = fuser.index_select %6, %k dim 0 : tensor<4x100xf32>, tensor<?xi64> -> tensor<?x100xf32>
  fuser.return %1, %3, %2, %5, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x100xf32>, tensor<1000x100xf32>, tensor<?x100xf32>
}

// Rows of pixels that several gathers read: the table is narrower.
// CHECK-LABEL: fuser.fusion @pixels
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x4x5xbf16>
// CHECK-NOT: fuser.cast
// CHECK: fuser.index_select {{.*}} tensor<3x20xbf16>
// CHECK: fuser.index_select {{.*}} tensor<3x20xbf16>
// CHECK: fuser.return
fuser.fusion @pixels(%x: tensor<3x4x5xbf16>, %i: tensor<7xi64>, %j: tensor<7xi64>) -> tensor<3x7xf32> {
  %0 = fuser.cast %x : tensor<3x4x5xbf16> to tensor<3x4x5xf32>
  %1 = fuser.reshape %0 : tensor<3x4x5xf32> -> tensor<3x20xf32>
  %2 = fuser.index_select %1, %i dim 1 : tensor<3x20xf32>, tensor<7xi64> -> tensor<3x7xf32>
  %3 = fuser.index_select %1, %j dim 1 : tensor<3x20xf32>, tensor<7xi64> -> tensor<3x7xf32>
  %4 = fuser.add %2, %3 : tensor<3x7xf32>
  fuser.return %4 : tensor<3x7xf32>
}

// Not if others read the reshaped values as well.
// CHECK-LABEL: fuser.fusion @read_pixels
// CHECK: %[[C:.*]] = fuser.cast
// CHECK: %[[R:.*]] = fuser.reshape %[[C]]
// CHECK: fuser.index_select %[[R]]
fuser.fusion @read_pixels(%x: tensor<3x4x5xbf16>, %i: tensor<7xi64>) -> (tensor<3x7xf32>, tensor<3x20xf32>) {
  %0 = fuser.cast %x : tensor<3x4x5xbf16> to tensor<3x4x5xf32>
  %1 = fuser.reshape %0 : tensor<3x4x5xf32> -> tensor<3x20xf32>
  %2 = fuser.index_select %1, %i dim 1 : tensor<3x20xf32>, tensor<7xi64> -> tensor<3x7xf32>
  %3 = fuser.exp %1 : tensor<3x20xf32>
  fuser.return %2, %3 : tensor<3x7xf32>, tensor<3x20xf32>
}

// Rows of what a reshape makes of a permutation (windows that are put back and rotated): the index is permuted, and stays out of
// bounds where it was.
// The index of a row is the same for all lanes, which read a vector of it.
// ROWS: fuser.index_select(%arg1{{.*}} by 4 align 16 where
// CHECK-LABEL: fuser.fusion @permuted_rows
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4x5x7x16xf32>, %[[I:.*]]: tensor<6xi32>
// CHECK-DAG: %[[OUTER:.*]] = fuser.floor_div %[[I]], %c140_i64
// CHECK-DAG: %[[S0:.*]] = fuser.mul %[[OUTER]], %c140_i64
// CHECK-DAG: %[[R1:.*]] = fuser.remainder %[[I]], %c140_i64
// CHECK-DAG: %[[Q1:.*]] = fuser.floor_div %[[R1]], %c28_i64
// CHECK-DAG: %[[S1:.*]] = fuser.mul %[[Q1]], %c7_i64
// CHECK-DAG: %[[R2:.*]] = fuser.remainder %[[I]], %c28_i64
// CHECK-DAG: %[[Q2:.*]] = fuser.floor_div %[[R2]], %c7_i64
// CHECK-DAG: %[[S2:.*]] = fuser.mul %[[Q2]], %c35_i64
// CHECK-DAG: %[[R3:.*]] = fuser.remainder %[[I]], %c7_i64
// CHECK: %[[SUM:.*]] = fuser.add %{{.*}}, %[[R3]]
// CHECK: %[[PLACE:.*]] = fuser.where %{{.*}}, %[[SUM]], %c-1_i64
// CHECK: %[[TABLE:.*]] = fuser.reshape %[[X]] : tensor<2x3x4x5x7x16xf32> -> tensor<2x420x16xf32>
// CHECK: fuser.index_select %[[TABLE]], %[[PLACE]] dim 1
// CHECK-NOT: fuser.permute
// CHECK: fuser.return
fuser.fusion @permuted_rows(%x: tensor<2x3x4x5x7x16xf32>, %i: tensor<6xi32>) -> tensor<2x6x16xf32> {
  %0 = fuser.permute %x [0, 1, 3, 2, 4, 5] : tensor<2x3x4x5x7x16xf32> -> tensor<2x3x5x4x7x16xf32>
  %1 = fuser.set %0 : tensor<2x3x5x4x7x16xf32>
  %2 = fuser.reshape %1 : tensor<2x3x5x4x7x16xf32> -> tensor<2x15x28x16xf32>
  %3 = fuser.reshape %2 : tensor<2x15x28x16xf32> -> tensor<2x420x16xf32>
  %4 = fuser.index_select %3, %i dim 1 : tensor<2x420x16xf32>, tensor<6xi32> -> tensor<2x6x16xf32>
  fuser.return %4 : tensor<2x6x16xf32>
}

// An unknown size next to the permuted dimensions changes nothing, also where a reshape in between merges it.
// CHECK-LABEL: fuser.fusion @unknown_rows
// CHECK-NOT: fuser.permute
// CHECK: %[[TABLE:.*]] = fuser.reshape %{{.*}} : tensor<?x3x4x5x16xf32> -> tensor<?x60x16xf32>
// CHECK: fuser.index_select %[[TABLE]], %{{.*}} dim 1
fuser.fusion @unknown_rows(%x: tensor<?x3x4x5x16xf32>, %i: tensor<6xi32>) -> tensor<?x6x16xf32> {
  %0 = fuser.permute %x [0, 2, 1, 3, 4] : tensor<?x3x4x5x16xf32> -> tensor<?x4x3x5x16xf32>
  %1 = fuser.reshape %0 : tensor<?x4x3x5x16xf32> -> tensor<?x15x16xf32>
  %2 = fuser.reshape %1 : tensor<?x15x16xf32> -> tensor<?x60x16xf32>
  %3 = fuser.index_select %2, %i dim 1 : tensor<?x60x16xf32>, tensor<6xi32> -> tensor<?x6x16xf32>
  fuser.return %3 : tensor<?x6x16xf32>
}

// How the index is permuted depends on sizes that are not known.
// CHECK-LABEL: fuser.fusion @unknown_permutation
// CHECK: fuser.permute
// CHECK: fuser.permute
// CHECK-NOT: fuser.remainder
// CHECK: fuser.return
fuser.fusion @unknown_permutation(%x: tensor<2x?x4x8xf32>, %y: tensor<?x4x?x8xf32>, %i: tensor<6xi64>) -> (tensor<2x6x8xf32>, tensor<?x6x8xf32>) {
  %0 = fuser.permute %x [0, 2, 1, 3] : tensor<2x?x4x8xf32> -> tensor<2x4x?x8xf32>
  %1 = fuser.reshape %0 : tensor<2x4x?x8xf32> -> tensor<2x?x8xf32>
  %2 = fuser.index_select %1, %i dim 1 : tensor<2x?x8xf32>, tensor<6xi64> -> tensor<2x6x8xf32>
  %3 = fuser.permute %y [0, 2, 1, 3] : tensor<?x4x?x8xf32> -> tensor<?x?x4x8xf32>
  %4 = fuser.reshape %3 groups [1, 2, 1] to [1, 1, 1] : tensor<?x?x4x8xf32> -> tensor<?x?x8xf32>
  %5 = fuser.index_select %4, %i dim 1 : tensor<?x?x8xf32>, tensor<6xi64> -> tensor<?x6x8xf32>
  fuser.return %2, %5 : tensor<2x6x8xf32>, tensor<?x6x8xf32>
}

// Not of what is stored, of rows whose elements are permuted, nor of a dimension that comes from outside.
// CHECK-LABEL: fuser.fusion @other_permutations
// CHECK-COUNT-3: fuser.permute
// CHECK-NOT: fuser.remainder
// CHECK: fuser.return
fuser.fusion @other_permutations(%x: tensor<4x3x5x8xf32>, %i: tensor<6xi32>) -> (tensor<6x8xf32>, tensor<60x8xf32>, tensor<6x5xf32>, tensor<4x6x3xf32>) {
  %0 = fuser.permute %x [1, 0, 2, 3] : tensor<4x3x5x8xf32> -> tensor<3x4x5x8xf32>
  %1 = fuser.reshape %0 : tensor<3x4x5x8xf32> -> tensor<60x8xf32>
  %2 = fuser.index_select %1, %i dim 0 : tensor<60x8xf32>, tensor<6xi32> -> tensor<6x8xf32>
  %3 = fuser.permute %x [1, 0, 3, 2] : tensor<4x3x5x8xf32> -> tensor<3x4x8x5xf32>
  %4 = fuser.reshape %3 : tensor<3x4x8x5xf32> -> tensor<96x5xf32>
  %5 = fuser.index_select %4, %i dim 0 : tensor<96x5xf32>, tensor<6xi32> -> tensor<6x5xf32>
  %6 = fuser.permute %x [0, 2, 3, 1] : tensor<4x3x5x8xf32> -> tensor<4x5x8x3xf32>
  %7 = fuser.reshape %6 : tensor<4x5x8x3xf32> -> tensor<4x40x3xf32>
  %8 = fuser.index_select %7, %i dim 1 : tensor<4x40x3xf32>, tensor<6xi32> -> tensor<4x6x3xf32>
  fuser.return %2, %1, %5, %8 : tensor<6x8xf32>, tensor<60x8xf32>, tensor<6x5xf32>, tensor<4x6x3xf32>
}

// Rows that have no index are sliced off first: the slice moves up, and what is left of the function is computed for one element.
// SLICED-LABEL: fuser.fusion @rows_with_index
// SLICED: %[[X:.*]] = fuser.slice %{{.*}} : tensor<?x64xf32> -> tensor<?x64xf32>
// SLICED: fuser.take_along_axis %[[X]],
fuser.fusion @rows_with_index(%x: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x1xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi64>
  %3 = fuser.slice %2 [0, 0] [%n, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
  %4 = fuser.take_along_axis %3, %i dim 1 : tensor<?x64xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  fuser.return %4 : tensor<?x1xf32>
}

// There is no row to gather.
// CHECK-LABEL: fuser.fusion @no_rows
// CHECK: fuser.permute
fuser.fusion @no_rows(%x: tensor<0x4x8xf32>, %i: tensor<5xi64>) -> tensor<5x8xf32> {
  %0 = fuser.permute %x [1, 0, 2] : tensor<0x4x8xf32> -> tensor<4x0x8xf32>
  %1 = fuser.reshape %0 : tensor<4x0x8xf32> -> tensor<0x8xf32>
  %2 = fuser.index_select %1, %i dim 0 : tensor<0x8xf32>, tensor<5xi64> -> tensor<5x8xf32>
  fuser.return %2 : tensor<5x8xf32>
}

// The logits of all tokens but the last ones, in rows: the element of each row is picked before the rows are merged.
// CHECK-LABEL: fuser.fusion @shifted_logits
// CHECK-SAME: (%[[X:.*]]: tensor<?x255x100xbf16>, %[[I:.*]]: tensor<?x1xi64>)
// CHECK-DAG: %[[R:.*]] = fuser.reshape %[[I]] groups [1, 1] to [2, 1] : tensor<?x1xi64> -> tensor<?x255x1xi64>
// CHECK-DAG: fuser.take_along_axis %[[X]], %[[R]] dim 2 : tensor<?x255x100xbf16>, tensor<?x255x1xi64> -> tensor<?x255x1xbf16>
// CHECK: fuser.reshape %{{.*}} groups [2, 1] to [1, 1] : tensor<?x255x1xbf16> -> tensor<?x1xbf16>
// CHECK-NOT: fuser.take_along_axis
fuser.fusion @shifted_logits(%x: tensor<?x255x100xbf16>, %i: tensor<?x1xi64>) -> (tensor<?xf32>, tensor<?x1xf32>) {
  %0 = fuser.set %x : tensor<?x255x100xbf16>
  %1 = fuser.reshape %0 : tensor<?x255x100xbf16> -> tensor<?x100xbf16>
  %2 = fuser.cast %1 : tensor<?x100xbf16> to tensor<?x100xf32>
  %3 = fuser.max %2 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %4 = fuser.take_along_axis %2, %i dim 1 : tensor<?x100xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  fuser.return %3, %4 : tensor<?xf32>, tensor<?x1xf32>
}

// Not where rows are merged or split, or where the reshape is a view of an argument.
// CHECK-LABEL: fuser.fusion @other_rows
// CHECK-SAME: (%[[X:.*]]: tensor<8x10x20xf32>,
// CHECK-DAG: %[[V:.*]] = fuser.reshape %[[X]] : tensor<8x10x20xf32> -> tensor<80x20xf32>
// CHECK-DAG: fuser.take_along_axis %[[V]]
// CHECK-DAG: %[[M:.*]] = fuser.reshape %{{.*}} : tensor<8x10x20xf32> -> tensor<8x200xf32>
// CHECK-DAG: fuser.take_along_axis %[[M]]
fuser.fusion @other_rows(%x: tensor<8x10x20xf32>, %i: tensor<80x1xi64>, %j: tensor<8x1xi64>) -> (tensor<80x1xf32>, tensor<8x1xf32>, tensor<8x200xf32>) {
  %0 = fuser.reshape %x : tensor<8x10x20xf32> -> tensor<80x20xf32>
  %1 = fuser.take_along_axis %0, %i dim 1 : tensor<80x20xf32>, tensor<80x1xi64> -> tensor<80x1xf32>
  %2 = fuser.neg %x : tensor<8x10x20xf32>
  %3 = fuser.reshape %2 : tensor<8x10x20xf32> -> tensor<8x200xf32>
  %4 = fuser.take_along_axis %3, %j dim 1 : tensor<8x200xf32>, tensor<8x1xi64> -> tensor<8x1xf32>
  fuser.return %1, %4, %3 : tensor<80x1xf32>, tensor<8x1xf32>, tensor<8x200xf32>
}

// Weights of classes are not expanded to the rows that pick one. The second index lacks the dimension, and the third
// counts along it.
// CHECK-LABEL: fuser.fusion @weights
// CHECK-SAME: (%[[W:[a-z0-9]+]]: tensor<1x9xf32>, %[[I:[a-z0-9]+]]: tensor<7x1xi64>, %[[J:[a-z0-9]+]]: tensor<1x3xi64>
// CHECK: fuser.take_along_axis %[[W]], %[[I]] dim 1 : tensor<1x9xf32>, tensor<7x1xi64> -> tensor<7x1xf32>
// CHECK: %[[A:.*]] = fuser.expand %[[W]] : tensor<1x9xf32> -> tensor<7x9xf32>
// CHECK: fuser.take_along_axis %[[A]], %[[J]] dim 1
// CHECK: %[[B:.*]] = fuser.expand %[[W]] : tensor<1x9xf32> -> tensor<7x9xf32>
// CHECK: fuser.take_along_axis %[[B]], %{{.*}} dim 0
fuser.fusion @weights(%w: tensor<1x9xf32>, %i: tensor<7x1xi64>, %j: tensor<1x3xi64>, %k: tensor<4x9xi64>) -> (tensor<7x1xf32>, tensor<7x3xf32>, tensor<4x9xf32>) {
  %0 = fuser.expand %w : tensor<1x9xf32> -> tensor<7x9xf32>
  %1 = fuser.take_along_axis %0, %i dim 1 : tensor<7x9xf32>, tensor<7x1xi64> -> tensor<7x1xf32>
  %2 = fuser.expand %w : tensor<1x9xf32> -> tensor<7x9xf32>
  %3 = fuser.take_along_axis %2, %j dim 1 : tensor<7x9xf32>, tensor<1x3xi64> -> tensor<7x3xf32>
  %4 = fuser.expand %w : tensor<1x9xf32> -> tensor<7x9xf32>
  %5 = fuser.take_along_axis %4, %k dim 0 : tensor<7x9xf32>, tensor<4x9xi64> -> tensor<4x9xf32>
  fuser.return %1, %3, %5 : tensor<7x1xf32>, tensor<7x3xf32>, tensor<4x9xf32>
}
