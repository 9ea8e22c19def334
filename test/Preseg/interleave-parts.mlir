// RUN: fuser-opt %s --fuser-interleave-parts > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-interleave-parts | diff %t.after.mlir -
// RUN: fuser-run %s --program=rows_of_sixteen --device=host --sizes=300x1 --check
// RUN: fuser-run %s --program=pairs --device=reference --sizes=9,9 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=pairs --device=reference --sizes=9,9 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-explain %s --program=pairs | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=matrices | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=slices_of_rows | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=halves | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=halves --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=pairs --device=host --sizes=1001,1001 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=pairs --device=host --sizes=1,1 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=pairs --device=host --sizes=0,0 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=matrices --device=host --sizes=301 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-explain %s --program=columns | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=boxes | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=columns --device=host --sizes=77,77 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=boxes --device=host --sizes=77x2,77x2 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=slices_of_rows --device=host --sizes=7x64 --check | FileCheck %s --check-prefix=NUMBERS
// A join of parts that are shorter than a vector is a selection by index, so that one kernel stores vectors of all parts.
// ONE: fused {{ *}}1 kernel,
// TWO: fused {{ *}}2 kernels,
// NUMBERS: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @pairs
// CHECK: %[[I:.*]] = fuser.iota %{{.*}}, %{{.*}} : i64, i64 -> tensor<2xi64>
// CHECK: %[[B:.*]] = fuser.broadcast %[[I]] dims [0] : tensor<2xi64> -> tensor<1x2xi64>
// CHECK: %[[X:.*]] = fuser.broadcast %{{.*}} dims [1] : tensor<?xf32>
// CHECK: %[[Y:.*]] = fuser.broadcast %{{.*}} dims [1] : tensor<?xf32>
// CHECK: %[[FIRST:.*]] = fuser.eq %[[B]], %{{.*}} : (tensor<1x2xi64>, i64) -> tensor<1x2xi1>
// CHECK: %[[W:.*]] = fuser.where %[[FIRST]], %[[X]], %[[Y]] : (tensor<1x2xi1>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
// CHECK: fuser.return %[[W]]
fuser.fusion @pairs(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?x2xf32> {
  %0 = fuser.mul %x, %y : tensor<?xf32>
  %1 = fuser.sub %x, %y : tensor<?xf32>
  %2 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.cat %2, %3 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  fuser.return %4 : tensor<?x2xf32>
}

// Arguments, and more than two: the last part is what the others leave.
// CHECK-LABEL: fuser.fusion @arguments
// CHECK: fuser.iota {{.*}} -> tensor<3xi64>
// CHECK: %[[SECOND:.*]] = fuser.eq
// CHECK: %[[REST:.*]] = fuser.where %[[SECOND]], %y, %z
// CHECK: %[[FIRST:.*]] = fuser.eq
// CHECK: fuser.where %[[FIRST]], %x, %[[REST]]
fuser.fusion @arguments(%x: tensor<?x1xbf16>, %y: tensor<?x1xbf16>, %z: tensor<?x1xbf16>) -> tensor<?x3xbf16> {
  %0 = fuser.cat %x, %y, %z dim 1 : (tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>) -> tensor<?x3xbf16>
  fuser.return %0 : tensor<?x3xbf16>
}

// The rows of the outer join are pairs of f32, 8 bytes.
// CHECK-LABEL: fuser.fusion @matrices
// CHECK-NOT: fuser.cat
// CHECK-COUNT-3: fuser.where
// CHECK-NOT: fuser.cat
// CHECK: fuser.return
fuser.fusion @matrices(%x: tensor<?xf32>) -> tensor<?x2x2xf32> {
  %c = fuser.cos %x : tensor<?xf32>
  %s = fuser.sin %x : tensor<?xf32>
  %n = fuser.neg %s : tensor<?xf32>
  %0 = fuser.broadcast %c dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.broadcast %n dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.cat %0, %2 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  %4 = fuser.cat %1, %0 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  %5 = fuser.broadcast %3 dims [1] : tensor<?x2xf32> -> tensor<?x1x2xf32>
  %6 = fuser.broadcast %4 dims [1] : tensor<?x2xf32> -> tensor<?x1x2xf32>
  %7 = fuser.cat %5, %6 dim 1 : (tensor<?x1x2xf32>, tensor<?x1x2xf32>) -> tensor<?x2x2xf32>
  fuser.return %7 : tensor<?x2x2xf32>
}

// In memory, the dimension that is joined is the fastest one.
// CHECK-LABEL: fuser.fusion @channels_last
// CHECK-NOT: fuser.cat
// CHECK: fuser.where
fuser.fusion @channels_last(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> (tensor<4x2x?xf32>) attributes {output_orders = [array<i64: 0, 2, 1>]} {
  %0 = fuser.broadcast %x dims [1] : tensor<4x?xf32> -> tensor<4x1x?xf32>
  %1 = fuser.broadcast %y dims [1] : tensor<4x?xf32> -> tensor<4x1x?xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<4x1x?xf32>, tensor<4x1x?xf32>) -> tensor<4x2x?xf32>
  fuser.return %2 : tensor<4x2x?xf32>
}

// Runs of a vector are stored as vectors in boxes; a run of dynamic length may be as long.
// CHECK-LABEL: fuser.fusion @long_runs
// CHECK-COUNT-3: fuser.cat
// CHECK-NOT: fuser.where
fuser.fusion @long_runs(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>, %z: tensor<1x?xf32>) -> (tensor<?x2x4xf32>, tensor<?x2x?xf32>, tensor<2x?xf32>) {
  %0 = fuser.neg %x : tensor<?x4xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x4xf32> -> tensor<?x1x4xf32>
  %2 = fuser.broadcast %x dims [1] : tensor<?x4xf32> -> tensor<?x1x4xf32>
  %3 = fuser.cat %1, %2 dim 1 : (tensor<?x1x4xf32>, tensor<?x1x4xf32>) -> tensor<?x2x4xf32>
  %4 = fuser.neg %y : tensor<?x?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %6 = fuser.broadcast %y dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %7 = fuser.cat %5, %6 dim 1 : (tensor<?x1x?xf32>, tensor<?x1x?xf32>) -> tensor<?x2x?xf32>
  %8 = fuser.neg %z : tensor<1x?xf32>
  %9 = fuser.cat %8, %z dim 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
  fuser.return %3, %7, %9 : tensor<?x2x4xf32>, tensor<?x2x?xf32>, tensor<2x?xf32>
}

// The kernel of a reduction stores its result in its box.
// CHECK-LABEL: fuser.fusion @statistics
// CHECK: fuser.cat
fuser.fusion @statistics(%x: tensor<?x?xf32>) -> tensor<?x2xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.exp %1 : tensor<?xf32>
  %3 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.cat %3, %4 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  fuser.return %5 : tensor<?x2xf32>
}

// Another kernel reads the slices of what the kernel of the norm stores.
// CHECK-LABEL: fuser.fusion @slices_of_rows
// CHECK-NOT: fuser.cat
// CHECK: fuser.where
fuser.fusion @slices_of_rows(%x: tensor<?x64xf32>) -> tensor<?x32x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %m = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %0 = fuser.sub %x, %mb : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %1 = fuser.slice %0 [0, 0] [%n, 32] strides [1, 2] : tensor<?x64xf32> -> tensor<?x32xf32>
  %2 = fuser.slice %0 [0, 1] [%n, 32] strides [1, 2] : tensor<?x64xf32> -> tensor<?x32xf32>
  %3 = fuser.neg %2 : tensor<?x32xf32>
  %4 = fuser.broadcast %3 dims [2] : tensor<?x32xf32> -> tensor<?x32x1xf32>
  %5 = fuser.broadcast %1 dims [2] : tensor<?x32xf32> -> tensor<?x32x1xf32>
  %6 = fuser.cat %4, %5 dim 2 : (tensor<?x32x1xf32>, tensor<?x32x1xf32>) -> tensor<?x32x2xf32>
  fuser.return %6 : tensor<?x32x2xf32>
}

// Parts of two elements: the dimensions of a pair and of its elements are merged.
// CHECK-LABEL: fuser.fusion @boxes
// CHECK: %[[A:.*]] = fuser.broadcast %{{.*}} dims [1] : tensor<?x2xf32> -> tensor<?x1x2xf32>
// CHECK: %[[B:.*]] = fuser.broadcast %{{.*}} dims [1] : tensor<?x2xf32> -> tensor<?x1x2xf32>
// CHECK: %[[W:.*]] = fuser.where %{{.*}}, %[[A]], %[[B]] : (tensor<1x2x1xi1>, tensor<?x1x2xf32>, tensor<?x1x2xf32>) -> tensor<?x2x2xf32>
// CHECK: fuser.reshape %[[W]] : tensor<?x2x2xf32> -> tensor<?x4xf32>
fuser.fusion @boxes(%center: tensor<?x2xf32>, %half: tensor<?x2xf32>) -> tensor<?x4xf32> {
  %0 = fuser.sub %center, %half : tensor<?x2xf32>
  %1 = fuser.add %center, %half : tensor<?x2xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
  fuser.return %2 : tensor<?x4xf32>
}

// The gradient of a column. Both outputs have the index of the same dimension, so that one kernel stores them.
// CHECK-LABEL: fuser.fusion @columns
// CHECK: fuser.iota
// CHECK-NOT: fuser.iota
// CHECK-NOT: fuser.insert_slice
// CHECK-COUNT-2: fuser.where
fuser.fusion @columns(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %0 = fuser.mul %x, %y : tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.full %zero sizes(%n) : f32 -> tensor<?x2xf32>
  %3 = fuser.insert_slice %1 into %2 [0, 1] : tensor<?x1xf32> into tensor<?x2xf32>
  %4 = fuser.add %x, %y : tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.full %zero sizes(%m) : f32 -> tensor<?x2xf32>
  %7 = fuser.insert_slice %5 into %6 [0, 0] : tensor<?x1xf32> into tensor<?x2xf32>
  fuser.return %3, %7 : tensor<?x2xf32>, tensor<?x2xf32>
}

// Insertions into an argument, of a part of the rows, of an index that is known at the call, and into long rows.
// CHECK-LABEL: fuser.fusion @other_insertions
// CHECK-COUNT-4: fuser.insert_slice
// CHECK-NOT: fuser.where
fuser.fusion @other_insertions(%x: tensor<4x1xf32>, %y: tensor<4x2xf32>, %z: tensor<5x2xf32>, %o: index, %w: tensor<4x9xf32>) -> (tensor<4x2xf32>, tensor<5x2xf32>, tensor<4x2xf32>, tensor<4x9xf32>) {
  %0 = fuser.neg %x : tensor<4x1xf32>
  %1 = fuser.insert_slice %0 into %y [0, 1] : tensor<4x1xf32> into tensor<4x2xf32>
  %2 = fuser.neg %z : tensor<5x2xf32>
  %3 = fuser.insert_slice %0 into %2 [1, 1] : tensor<4x1xf32> into tensor<5x2xf32>
  %4 = fuser.neg %y : tensor<4x2xf32>
  %5 = fuser.insert_slice %0 into %4 [0, %o] : tensor<4x1xf32> into tensor<4x2xf32>
  %6 = fuser.neg %w : tensor<4x9xf32>
  %7 = fuser.insert_slice %0 into %6 [0, 3] : tensor<4x1xf32> into tensor<4x9xf32>
  fuser.return %1, %3, %5, %7 : tensor<4x2xf32>, tensor<5x2xf32>, tensor<4x2xf32>, tensor<4x9xf32>
}

// Parts of different sizes, and more than 8 parts.
// CHECK-LABEL: fuser.fusion @other_parts
// CHECK-COUNT-2: fuser.cat
// CHECK-NOT: fuser.where
fuser.fusion @other_parts(%x: tensor<?x1xf32>, %y: tensor<?x2xf32>) -> (tensor<?x3xf32>, tensor<?x9xf32>) {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x1xf32>, tensor<?x2xf32>) -> tensor<?x3xf32>
  %1 = fuser.neg %x : tensor<?x1xf32>
  %2 = fuser.cat %x, %1, %x, %1, %x, %1, %x, %1, %x dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x9xf32>
  fuser.return %0, %2 : tensor<?x3xf32>, tensor<?x9xf32>
}

// A stack of two cheap functions of one argument is selected where pointwise ops read it: one kernel.
// CHECK-LABEL: fuser.fusion @halves
// CHECK: %[[LOW:.+]] = fuser.bitwise_and
// CHECK: %[[HIGH:.+]] = fuser.shift_right
// CHECK: %[[A:.+]] = fuser.broadcast %[[LOW]] dims [1]
// CHECK: %[[B:.+]] = fuser.broadcast %[[HIGH]] dims [1]
// CHECK: fuser.where %{{.+}}, %[[A]], %[[B]] : (tensor<1x2x1xi1>, tensor<6x1x64xi32>, tensor<6x1x64xi32>) -> tensor<6x2x64xi32>
// CHECK-NOT: fuser.cat
// CHECK: fuser.return
fuser.fusion @halves(%x: tensor<6x64xi32>, %s: tensor<6x1x64xf32>) -> tensor<6x2x64xf32> {
  %four = arith.constant 4 : i64
  %mask = arith.constant 15 : i64
  %0 = fuser.bitwise_and %x, %mask : (tensor<6x64xi32>, i64) -> tensor<6x64xi32>
  %1 = fuser.shift_right %x, %four : (tensor<6x64xi32>, i64) -> tensor<6x64xi32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<6x64xi32>, tensor<6x64xi32>) -> tensor<6x128xi32>
  %3 = fuser.reshape %2 : tensor<6x128xi32> -> tensor<6x2x64xi32>
  %4 = fuser.cast %3 : tensor<6x2x64xi32> to tensor<6x2x64xf32>
  %5 = fuser.mul %4, %s : (tensor<6x2x64xf32>, tensor<6x1x64xf32>) -> tensor<6x2x64xf32>
  fuser.return %5 : tensor<6x2x64xf32>
}

// Does nothing to such a stack that is stored or reduced, to parts that cost more, to parts of other arguments, and to joins that
// are no stack.
// CHECK-LABEL: fuser.fusion @other_stacks
// CHECK-NOT: fuser.where
// CHECK-COUNT-5: fuser.cat
// CHECK-NOT: fuser.where
// CHECK: fuser.return
fuser.fusion @other_stacks(%x: tensor<6x64xf32>, %y: tensor<6x64xf32>) -> (tensor<6x2x64xf32>, tensor<6x64xf32>, tensor<6x2x64xf32>, tensor<6x2x64xf32>, tensor<6x128xf32>) {
  %0 = fuser.neg %x : tensor<6x64xf32>
  %1 = fuser.abs %x : tensor<6x64xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<6x128xf32>
  %3 = fuser.reshape %2 : tensor<6x128xf32> -> tensor<6x2x64xf32>
  %4 = fuser.cat %1, %0 dim 1 : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<6x128xf32>
  %5 = fuser.reshape %4 : tensor<6x128xf32> -> tensor<6x2x64xf32>
  %6 = fuser.max %5 dims [1] : tensor<6x2x64xf32> -> tensor<6x64xf32>
  %7 = fuser.sinh %x : tensor<6x64xf32>
  %8 = fuser.cat %7, %1 dim 1 : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<6x128xf32>
  %9 = fuser.reshape %8 : tensor<6x128xf32> -> tensor<6x2x64xf32>
  %10 = fuser.exp %9 : tensor<6x2x64xf32>
  %11 = fuser.neg %y : tensor<6x64xf32>
  %12 = fuser.cat %1, %11 dim 1 : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<6x128xf32>
  %13 = fuser.reshape %12 : tensor<6x128xf32> -> tensor<6x2x64xf32>
  %14 = fuser.exp %13 : tensor<6x2x64xf32>
  %15 = fuser.cat %0, %1 dim 1 : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<6x128xf32>
  %16 = fuser.exp %15 : tensor<6x128xf32>
  fuser.return %3, %6, %10, %14, %16 : tensor<6x2x64xf32>, tensor<6x64xf32>, tensor<6x2x64xf32>, tensor<6x2x64xf32>, tensor<6x128xf32>
}

// Sixteen single elements are a row of whole vectors, which one thread computes; twelve stay parts.
// CHECK-LABEL: fuser.fusion @rows_of_sixteen
// CHECK-COUNT-15: fuser.where
// CHECK-NOT: fuser.cat
// CHECK: fuser.return
fuser.fusion @rows_of_sixteen(%x: tensor<?x1xf32>) -> tensor<?x16xf32> {
  %p0 = fuser.exp %x : tensor<?x1xf32>
  %p1 = fuser.add %p0, %x : tensor<?x1xf32>
  %p2 = fuser.add %p1, %x : tensor<?x1xf32>
  %p3 = fuser.add %p2, %x : tensor<?x1xf32>
  %p4 = fuser.add %p3, %x : tensor<?x1xf32>
  %p5 = fuser.add %p4, %x : tensor<?x1xf32>
  %p6 = fuser.add %p5, %x : tensor<?x1xf32>
  %p7 = fuser.add %p6, %x : tensor<?x1xf32>
  %p8 = fuser.add %p7, %x : tensor<?x1xf32>
  %p9 = fuser.add %p8, %x : tensor<?x1xf32>
  %p10 = fuser.add %p9, %x : tensor<?x1xf32>
  %p11 = fuser.add %p10, %x : tensor<?x1xf32>
  %p12 = fuser.add %p11, %x : tensor<?x1xf32>
  %p13 = fuser.add %p12, %x : tensor<?x1xf32>
  %p14 = fuser.add %p13, %x : tensor<?x1xf32>
  %p15 = fuser.add %p14, %x : tensor<?x1xf32>
  %y = fuser.cat %p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8, %p9, %p10, %p11, %p12, %p13, %p14, %p15 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x16xf32>
  fuser.return %y : tensor<?x16xf32>
}

// CHECK-LABEL: fuser.fusion @rows_of_twelve
// CHECK-NOT: fuser.where
// CHECK: fuser.cat
fuser.fusion @rows_of_twelve(%x: tensor<?x1xf32>) -> tensor<?x12xf32> {
  %p0 = fuser.exp %x : tensor<?x1xf32>
  %p1 = fuser.add %p0, %x : tensor<?x1xf32>
  %p2 = fuser.add %p1, %x : tensor<?x1xf32>
  %p3 = fuser.add %p2, %x : tensor<?x1xf32>
  %p4 = fuser.add %p3, %x : tensor<?x1xf32>
  %p5 = fuser.add %p4, %x : tensor<?x1xf32>
  %p6 = fuser.add %p5, %x : tensor<?x1xf32>
  %p7 = fuser.add %p6, %x : tensor<?x1xf32>
  %p8 = fuser.add %p7, %x : tensor<?x1xf32>
  %p9 = fuser.add %p8, %x : tensor<?x1xf32>
  %p10 = fuser.add %p9, %x : tensor<?x1xf32>
  %p11 = fuser.add %p10, %x : tensor<?x1xf32>
  %y = fuser.cat %p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8, %p9, %p10, %p11 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  fuser.return %y : tensor<?x12xf32>
}
