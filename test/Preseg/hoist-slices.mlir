// RUN: fuser-opt %s --fuser-hoist-slices | FileCheck %s
// RUN: fuser-opt %s --fuser-hoist-slices | fuser-opt --fuser-hoist-slices | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=first --sizes=10 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=chain --sizes=6x9,9,6x9 --scalar o=2 --scalar n=4 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=chain --sizes=3x2,2,3x2 --scalar o=2 --scalar n=0 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=rows_of_another --sizes=3x6x6 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=rows_of_another_group --sizes=3x2x6x6 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=rows_of_sum --sizes=30x7 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=rows_of_softmax --sizes=30x40 --scalar o=3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=dims --sizes=6x8x10 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=scan --sizes=9x12 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=cropped --sizes=30x7 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=cropped --sizes=5x7 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=rotated_of_packed --sizes=2x5x48,5x8 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=rotated --sizes=5x8,8 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=rotated --sizes=0x8,8 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=heads --sizes=3x5x64,64 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=heads --sizes=0x5x64,64 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=overlapping | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=of_dynamic_slice --sizes=2x5x9x20 --scalar n=3 | FileCheck %s --check-prefixes=CHECKED,ALONE
// RUN: fuser-run %s --device=host --check --program=of_dynamic_windows --sizes=5x64,1 | FileCheck %s --check-prefixes=CHECKED,ALONE
// RUN: fuser-run %s --device=host --check --program=of_dynamic_windows --sizes=0x64,1 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=unknown_borders --sizes=20 --scalar n=7 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=unknown_borders --sizes=2 --scalar n=2 | FileCheck %s --check-prefix=CHECKED
// A slice moves up through ops that nothing else reads: a kernel touches what it needs alone (S2.4).

// SINGLE: kernels {{.*}}1
// ALONE: kernels
// ALONE-NEXT: compile
// CHECKED: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @first
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [0] [5] : tensor<10xbf16> -> tensor<5xbf16>
// CHECK: %[[N:.*]] = fuser.neg %[[S]] : tensor<5xbf16>
// CHECK: fuser.return %[[N]]
fuser.fusion @first(%x: tensor<10xbf16>) -> tensor<5xbf16> {
  %0 = fuser.neg %x : tensor<10xbf16>
  %1 = fuser.slice %0 [0] [5] : tensor<10xbf16> -> tensor<5xbf16>
  fuser.return %1 : tensor<5xbf16>
}

// Through several ops, with a broadcast operand, a step, and offsets and sizes of the call.
// CHECK-LABEL: fuser.fusion @chain(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>, %[[O:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index)
// CHECK-DAG: %[[XS:.*]] = fuser.slice %[[X]] [0, %[[O]]] [2, %[[N]]] strides [2, 1] : tensor<?x?xf32> -> tensor<2x?xf32>
// CHECK-DAG: %[[BS:.*]] = fuser.slice %[[B]] [%[[O]]] [%[[N]]] : tensor<?xf32> -> tensor<?xf32>
// CHECK-DAG: %[[RS:.*]] = fuser.broadcast %[[BS]] dims [0]
// CHECK-DAG: %[[YS:.*]] = fuser.slice %[[Y]] [0, %[[O]]] [2, %[[N]]] strides [2, 1] : tensor<?x?xf32> -> tensor<2x?xf32>
// CHECK-DAG: %[[SUM:.*]] = fuser.add %[[XS]], %[[RS]] : (tensor<2x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
// CHECK: fuser.mul %[[SUM]], %[[YS]]
fuser.fusion @chain(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %y: tensor<?x?xf32>, %o: index, %n: index) -> tensor<2x?xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.mul %1, %y : tensor<?x?xf32>
  %3 = fuser.slice %2 [0, %o] [2, %n] strides [2, 1] : tensor<?x?xf32> -> tensor<2x?xf32>
  fuser.return %3 : tensor<2x?xf32>
}

// Not where all of it is read elsewhere, and not past a mark.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: fuser.exp %{{.*}} : tensor<8xf32>
// CHECK: fuser.slice
// CHECK: fuser.segment_set %{{.*}} : tensor<8xf32>
// CHECK: fuser.slice
fuser.fusion @stays(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = fuser.exp %x : tensor<8xf32>
  %1 = fuser.slice %0 [1] [2] : tensor<8xf32> -> tensor<2xf32>
  %2 = fuser.segment_set %x : tensor<8xf32>
  %3 = fuser.slice %2 [1] [3] : tensor<8xf32> -> tensor<3xf32>
  fuser.return %0, %1, %3 : tensor<8xf32>, tensor<2xf32>, tensor<3xf32>
}

// S2.4: a reduction computes only what is read.
// CHECK-LABEL: fuser.fusion @rows_of_sum
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x?xf32>
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [3, 0] [5, %[[N]]] : tensor<?x?xf32> -> tensor<5x?xf32>
// CHECK: fuser.sum %[[S]] dims [1] : tensor<5x?xf32> -> tensor<5xf32>
// CHECK-NOT: fuser.slice
fuser.fusion @rows_of_sum(%x: tensor<?x?xf32>) -> tensor<5xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.slice %0 [3] [5] : tensor<?xf32> -> tensor<5xf32>
  fuser.return %1 : tensor<5xf32>
}

// Values with several readers, all of them the same slice: one slice of the argument is left.
// CHECK-LABEL: fuser.fusion @rows_of_softmax
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [%{{.*}}, 0] [2, 40] : tensor<?x40xf32> -> tensor<2x40xf32>
// CHECK-NOT: fuser.slice
// CHECK: fuser.max %[[S]]
// CHECK-NOT: fuser.slice
fuser.fusion @rows_of_softmax(%x: tensor<?x40xf32>, %o: index) -> tensor<2x40xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x40xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x40xf32>, tensor<?x1xf32>) -> tensor<?x40xf32>
  %3 = fuser.exp %2 : tensor<?x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x40xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x40xf32>, tensor<?x1xf32>) -> tensor<?x40xf32>
  %7 = fuser.slice %6 [%o, 0] [2, 40] : tensor<?x40xf32> -> tensor<2x40xf32>
  fuser.return %7 : tensor<2x40xf32>
}

// Permutations, and dimensions that a reshape keeps.
// CHECK-LABEL: fuser.fusion @dims
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [1, 0, 1] [4, 8, 5] strides [1, 1, 2] : tensor<6x8x10xf32> -> tensor<4x8x5xf32>
// CHECK: %[[P:.*]] = fuser.permute %[[S]] [2, 1, 0] : tensor<4x8x5xf32> -> tensor<5x8x4xf32>
// CHECK: fuser.reshape %[[P]] : tensor<5x8x4xf32> -> tensor<5x2x4x4xf32>
// CHECK-NOT: fuser.slice
fuser.fusion @dims(%x: tensor<6x8x10xf32>) -> tensor<5x2x4x4xf32> {
  %0 = fuser.permute %x [2, 1, 0] : tensor<6x8x10xf32> -> tensor<10x8x6xf32>
  %1 = fuser.reshape %0 : tensor<10x8x6xf32> -> tensor<10x2x4x6xf32>
  %2 = fuser.slice %1 [1, 0, 0, 1] [5, 2, 4, 4] strides [2, 1, 1, 1] : tensor<10x2x4x6xf32> -> tensor<5x2x4x4xf32>
  fuser.return %2 : tensor<5x2x4x4xf32>
}

// Not along the dimension of a scan, whose elements depend on the ones before them.
// CHECK-LABEL: fuser.fusion @scan
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [2, 0] [4, 12]
// CHECK: fuser.cumsum %[[S]] dim 1 : tensor<4x12xf32>
// CHECK: fuser.cumsum %{{.*}} dim 1 : tensor<9x12xf32>
// CHECK: fuser.slice
fuser.fusion @scan(%x: tensor<9x12xf32>) -> (tensor<4x12xf32>, tensor<9x3xf32>) {
  %0 = fuser.cumsum %x dim 1 : tensor<9x12xf32> -> tensor<9x12xf32>
  %1 = fuser.slice %0 [2, 0] [4, 12] : tensor<9x12xf32> -> tensor<4x12xf32>
  %2 = fuser.cumsum %x dim 1 : tensor<9x12xf32> -> tensor<9x12xf32>
  %3 = fuser.slice %2 [0, 4] [9, 3] : tensor<9x12xf32> -> tensor<9x3xf32>
  fuser.return %1, %3 : tensor<4x12xf32>, tensor<9x3xf32>
}

// A crop of a reduction is a slice, whose size is that of the argument.
// CHECK-LABEL: fuser.fusion @cropped
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [3, 0] [%{{.*}}, 7] : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK: fuser.sum %[[S]] dims [1]
// CHECK-NOT: fuser.pad
fuser.fusion @cropped(%x: tensor<?x7xf32>) -> tensor<?xf32> {
  %v = arith.constant 0.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x7xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [-3] high [-2] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Not where it would separate a row from the reduction that normalizes it.
// CHECK-LABEL: fuser.fusion @columns_of_softmax
// CHECK: %[[Y:.*]] = fuser.div
// CHECK: fuser.slice %[[Y]] [0, 8] [6, 16]
fuser.fusion @columns_of_softmax(%x: tensor<6x40xf32>) -> tensor<6x16xf32> {
  %0 = fuser.exp %x : tensor<6x40xf32>
  %1 = fuser.sum %0 dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %3 = fuser.div %0, %2 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %4 = fuser.slice %3 [0, 8] [6, 16] : tensor<6x40xf32> -> tensor<6x16xf32>
  fuser.return %4 : tensor<6x16xf32>
}

// A rotation reads two halves of a value and the whole: few cheap ops compute each of them again.
// CHECK-LABEL: fuser.fusion @rotated(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xbf16>
// CHECK-DAG: %[[LOW:.*]] = fuser.slice %[[X]] [0, 0] [%{{.*}}, 4]
// CHECK-DAG: %[[HIGH:.*]] = fuser.slice %[[X]] [0, 4] [%{{.*}}, 4]
// CHECK-DAG: %[[LOW32:.*]] = fuser.cast %[[LOW]]
// CHECK-DAG: %[[HIGH32:.*]] = fuser.cast %[[HIGH]]
// CHECK-DAG: %[[NEG:.*]] = fuser.neg %[[HIGH32]]
// CHECK: fuser.cat %[[NEG]], %[[LOW32]] dim 1
fuser.fusion @rotated(%x: tensor<?x8xbf16>, %c: tensor<8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xbf16>
  %0 = fuser.cast %x : tensor<?x8xbf16> to tensor<?x8xf32>
  %1 = fuser.slice %0 [0, 0] [%n, 4] : tensor<?x8xf32> -> tensor<?x4xf32>
  %2 = fuser.slice %0 [0, 4] [%n, 4] : tensor<?x8xf32> -> tensor<?x4xf32>
  %3 = fuser.neg %2 : tensor<?x4xf32>
  %4 = fuser.cat %3, %1 dim 1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %5 = fuser.broadcast %c dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %6 = fuser.mul %4, %5 : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  %7 = fuser.add %0, %6 : tensor<?x8xf32>
  fuser.return %7 : tensor<?x8xf32>
}

// CHECK-LABEL: fuser.fusion @expand
// CHECK: %[[PART:.*]] = fuser.slice %x [10, 0] [5, 64] : tensor<1000x64xf32> -> tensor<5x64xf32>
// CHECK: %[[SUM:.*]] = fuser.sum %[[PART]] dims [1] : tensor<5x64xf32> -> tensor<5xf32>
// CHECK: %[[ONE:.*]] = fuser.broadcast %[[SUM]] dims [1]
// CHECK: fuser.expand %[[ONE]] : tensor<5x1xf32> -> tensor<5x3xf32>
fuser.fusion @expand(%x: tensor<1000x64xf32>) -> tensor<5x3xf32> {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<1000xf32> -> tensor<1000x1xf32>
  %2 = fuser.expand %1 : tensor<1000x1xf32> -> tensor<1000x16xf32>
  %3 = fuser.slice %2 [10, 2] [5, 3] : tensor<1000x16xf32> -> tensor<5x3xf32>
  fuser.return %3 : tensor<5x3xf32>
}

// Along the slowest part of what a reshape splits.
// CHECK-LABEL: fuser.fusion @split
// CHECK: %[[PART:.*]] = fuser.slice %x [0, 192, 0] [%{{.*}}, 128, 64] : tensor<?x512x64xf32> -> tensor<?x128x64xf32>
// CHECK: %[[SUM:.*]] = fuser.sum %[[PART]]
// CHECK: fuser.reshape %[[SUM]] : tensor<?x128xf32> -> tensor<?x2x64xf32>
fuser.fusion @split(%x: tensor<?x512x64xf32>) -> tensor<?x2x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x512x64xf32>
  %0 = fuser.sum %x dims [2] : tensor<?x512x64xf32> -> tensor<?x512xf32>
  %1 = fuser.reshape %0 : tensor<?x512xf32> -> tensor<?x8x64xf32>
  %2 = fuser.slice %1 [0, 3, 0] [%n, 2, 64] : tensor<?x8x64xf32> -> tensor<?x2x64xf32>
  fuser.return %2 : tensor<?x2x64xf32>
}

// Rows of another factorization are elements of the merged dimension.
// CHECK-LABEL: fuser.fusion @rows_of_another
// CHECK: fuser.pad %x
// CHECK: %[[M:.*]] = fuser.reshape {{.*}} : tensor<3x6x7xf32> -> tensor<3x42xf32>
// CHECK: %[[S:.*]] = fuser.slice %[[M]] [0, 6] [3, 36]
// CHECK: fuser.reshape %[[S]] : tensor<3x36xf32> -> tensor<3x6x6xf32>
fuser.fusion @rows_of_another(%x: tensor<3x6x6xf32>) -> tensor<3x6x6xf32> {
  %c = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [0, 0, 1] high [0, 0, 0] value %c : tensor<3x6x6xf32>, f32 -> tensor<3x6x7xf32>
  %1 = fuser.reshape %0 : tensor<3x6x7xf32> -> tensor<3x7x6xf32>
  %2 = fuser.slice %1 [0, 1, 0] [3, 6, 6] : tensor<3x7x6xf32> -> tensor<3x6x6xf32>
  fuser.return %2 : tensor<3x6x6xf32>
}

// With groups, each reshape has those of its dimensions.
// CHECK-LABEL: fuser.fusion @rows_of_another_group
// CHECK: fuser.reshape {{.*}} groups [1, 1, 2] to [1, 1, 1] : tensor<?x?x6x7xf32> -> tensor<?x?x42xf32>
// CHECK: fuser.reshape {{.*}} groups [1, 1, 1] to [1, 1, 2] : tensor<?x?x36xf32> -> tensor<?x?x6x6xf32>
fuser.fusion @rows_of_another_group(%x: tensor<?x?x6x6xf32>) -> tensor<?x?x6x6xf32> {
  %c = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x6x6xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x6x6xf32>
  %0 = fuser.pad %x low [0, 0, 0, 1] high [0, 0, 0, 0] value %c : tensor<?x?x6x6xf32>, f32 -> tensor<?x?x6x7xf32>
  %1 = fuser.reshape %0 groups [1, 1, 2] to [1, 1, 2] : tensor<?x?x6x7xf32> -> tensor<?x?x7x6xf32>
  %2 = fuser.slice %1 [0, 0, 1, 0] [%n, %m, 6, 6] : tensor<?x?x7x6xf32> -> tensor<?x?x6x6xf32>
  fuser.return %2 : tensor<?x?x6x6xf32>
}

// Not along a faster part: no box of the operand has its elements.
// CHECK-LABEL: fuser.fusion @split_faster
// CHECK: fuser.sum %x
// CHECK: fuser.reshape
// CHECK: fuser.slice
fuser.fusion @split_faster(%x: tensor<512x64xf32>) -> tensor<8x5xf32> {
  %0 = fuser.sum %x dims [1] : tensor<512x64xf32> -> tensor<512xf32>
  %1 = fuser.reshape %0 : tensor<512xf32> -> tensor<8x64xf32>
  %2 = fuser.slice %1 [0, 3] [8, 5] : tensor<8x64xf32> -> tensor<8x5xf32>
  fuser.return %2 : tensor<8x5xf32>
}

// Of what a reshape merges: whole rows.
// CHECK-LABEL: fuser.fusion @merged
// CHECK: fuser.slice %x [3, 0, 0] [2, 64, 100]
// CHECK: fuser.reshape {{.*}} : tensor<2x64xf32> -> tensor<128xf32>
fuser.fusion @merged(%x: tensor<8x64x100xf32>) -> tensor<128xf32> {
  %0 = fuser.sum %x dims [2] : tensor<8x64x100xf32> -> tensor<8x64xf32>
  %1 = fuser.reshape %0 : tensor<8x64xf32> -> tensor<512xf32>
  %2 = fuser.slice %1 [192] [128] : tensor<512xf32> -> tensor<128xf32>
  fuser.return %2 : tensor<128xf32>
}

// Not parts of rows.
// CHECK-LABEL: fuser.fusion @merged_parts
// CHECK: fuser.sum %x
// CHECK: fuser.slice {{.*}} [190] [128]
fuser.fusion @merged_parts(%x: tensor<8x64x100xf32>) -> tensor<128xf32> {
  %0 = fuser.sum %x dims [2] : tensor<8x64x100xf32> -> tensor<8x64xf32>
  %1 = fuser.reshape %0 : tensor<8x64xf32> -> tensor<512xf32>
  %2 = fuser.slice %1 [190] [128] : tensor<512xf32> -> tensor<128xf32>
  fuser.return %2 : tensor<128xf32>
}

// Two parts of one sum: 12 of 1000 rows are computed.
// CHECK-LABEL: fuser.fusion @small_parts
// CHECK-DAG: %[[A:.*]] = fuser.slice %x [10, 0] [5, 64]
// CHECK-DAG: %[[B:.*]] = fuser.slice %x [20, 0] [7, 64]
// CHECK-DAG: fuser.sum %[[A]]
// CHECK-DAG: fuser.sum %[[B]]
// CHECK: fuser.return
fuser.fusion @small_parts(%x: tensor<1000x64xf32>) -> (tensor<5xf32>, tensor<7xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.slice %0 [10] [5] : tensor<1000xf32> -> tensor<5xf32>
  %2 = fuser.slice %0 [20] [7] : tensor<1000xf32> -> tensor<7xf32>
  fuser.return %1, %2 : tensor<5xf32>, tensor<7xf32>
}

// Not parts of more than half of it.
// CHECK-LABEL: fuser.fusion @large_parts
// CHECK: fuser.sum %x
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @large_parts(%x: tensor<12x64xf32>) -> (tensor<5xf32>, tensor<2xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<12x64xf32> -> tensor<12xf32>
  %1 = fuser.slice %0 [1] [5] : tensor<12xf32> -> tensor<5xf32>
  %2 = fuser.slice %0 [4] [2] : tensor<12xf32> -> tensor<2xf32>
  fuser.return %1, %2 : tensor<5xf32>, tensor<2xf32>
}

// But parts that have half of it together.
// CHECK-LABEL: fuser.fusion @half_parts
// CHECK-NOT: fuser.sum %x
// CHECK: fuser.return
fuser.fusion @half_parts(%x: tensor<12x64xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<5xf32>, tensor<1xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<12x64xf32> -> tensor<12xf32>
  %1 = fuser.slice %0 [1] [4] : tensor<12xf32> -> tensor<4xf32>
  %2 = fuser.slice %0 [4] [2] : tensor<12xf32> -> tensor<2xf32>
  %3 = fuser.max %x dims [1] : tensor<12x64xf32> -> tensor<12xf32>
  %4 = fuser.slice %3 [1] [5] : tensor<12xf32> -> tensor<5xf32>
  %5 = fuser.slice %3 [11] [1] : tensor<12xf32> -> tensor<1xf32>
  fuser.return %1, %2, %4, %5 : tensor<4xf32>, tensor<2xf32>, tensor<5xf32>, tensor<1xf32>
}

// One part of a concatenation.
// CHECK-LABEL: fuser.fusion @of_cat
// CHECK: %[[PART:.*]] = fuser.slice %y [10, 0] [5, 64]
// CHECK-NEXT: %[[SUM:.*]] = fuser.max %[[PART]]
// CHECK-NEXT: fuser.return %[[SUM]]
fuser.fusion @of_cat(%x: tensor<1000x64xf32>, %y: tensor<100x64xf32>) -> tensor<5xf32> {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.max %y dims [1] : tensor<100x64xf32> -> tensor<100xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<1000xf32>, tensor<100xf32>) -> tensor<1100xf32>
  %3 = fuser.slice %2 [1010] [5] : tensor<1100xf32> -> tensor<5xf32>
  fuser.return %3 : tensor<5xf32>
}

// The last element of one part, and the first one of the next.
// CHECK-LABEL: fuser.fusion @elements_of_cat
// CHECK-DAG: %[[LAST:.*]] = fuser.slice %x [999, 0] [1, 64]
// CHECK-DAG: %[[SUM:.*]] = fuser.sum %[[LAST]]
// CHECK-DAG: %[[FIRST:.*]] = fuser.slice %y [0, 0] [1, 64]
// CHECK-DAG: %[[MAX:.*]] = fuser.max %[[FIRST]]
// CHECK: fuser.return %[[SUM]], %[[MAX]]
fuser.fusion @elements_of_cat(%x: tensor<1000x64xf32>, %y: tensor<100x64xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.max %y dims [1] : tensor<100x64xf32> -> tensor<100xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<1000xf32>, tensor<100xf32>) -> tensor<1100xf32>
  %3 = fuser.slice %2 [999] [1] : tensor<1100xf32> -> tensor<1xf32>
  %4 = fuser.slice %2 [1000] [1] : tensor<1100xf32> -> tensor<1xf32>
  fuser.return %3, %4 : tensor<1xf32>, tensor<1xf32>
}

// Halves that are each read by two equal slices: each is computed once, so both together are no more work.
// CHECK-LABEL: fuser.fusion @equal_halves
// CHECK-COUNT-2: fuser.exp %{{.*}} : tensor<10x1xf32>
// CHECK-NOT: fuser.exp
// CHECK: return
fuser.fusion @equal_halves(%x: tensor<10x2xf32>) -> (tensor<10x1xf32>, tensor<10x1xf32>) {
  %e = fuser.exp %x : tensor<10x2xf32>
  %a = fuser.slice %e [0, 0] [10, 1] : tensor<10x2xf32> -> tensor<10x1xf32>
  %b = fuser.slice %e [0, 1] [10, 1] : tensor<10x2xf32> -> tensor<10x1xf32>
  %c = fuser.slice %e [0, 0] [10, 1] : tensor<10x2xf32> -> tensor<10x1xf32>
  %d = fuser.slice %e [0, 1] [10, 1] : tensor<10x2xf32> -> tensor<10x1xf32>
  %sum = fuser.add %a, %b : tensor<10x1xf32>
  %difference = fuser.sub %c, %d : tensor<10x1xf32>
  fuser.return %sum, %difference : tensor<10x1xf32>, tensor<10x1xf32>
}

// Not two parts of it.
// CHECK-LABEL: fuser.fusion @of_two_parts
// CHECK: fuser.cat
// CHECK: fuser.slice {{.*}} [998] [5]
fuser.fusion @of_two_parts(%x: tensor<1000x64xf32>, %y: tensor<100x64xf32>) -> tensor<5xf32> {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.max %y dims [1] : tensor<100x64xf32> -> tensor<100xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<1000xf32>, tensor<100xf32>) -> tensor<1100xf32>
  %3 = fuser.slice %2 [998] [5] : tensor<1100xf32> -> tensor<5xf32>
  fuser.return %3 : tensor<5xf32>
}

// The interior of a pad, every second element.
// CHECK-LABEL: fuser.fusion @of_interior
// CHECK: %[[PART:.*]] = fuser.slice %x [0, 0] [3, 64] strides [2, 1]
// CHECK-NEXT: %[[SUM:.*]] = fuser.sum %[[PART]]
// CHECK-NEXT: fuser.return %[[SUM]]
fuser.fusion @of_interior(%x: tensor<5x64xf32>) -> tensor<3xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<5x64xf32> -> tensor<5xf32>
  %1 = fuser.pad %0 low [3] high [4] value %v : tensor<5xf32>, f32 -> tensor<12xf32>
  %2 = fuser.slice %1 [3] [3] strides [2] : tensor<12xf32> -> tensor<3xf32>
  fuser.return %2 : tensor<3xf32>
}

// What it reads of the border is a pad of the part.
// CHECK-LABEL: fuser.fusion @of_border
// CHECK: %[[PART:.*]] = fuser.slice %x [1, 0] [4, 64]
// CHECK: %[[SUM:.*]] = fuser.sum %[[PART]]
// CHECK: fuser.pad %[[SUM]] low [0] high [1]
fuser.fusion @of_border(%x: tensor<5x64xf32>) -> tensor<5xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<5x64xf32> -> tensor<5xf32>
  %1 = fuser.pad %0 low [3] high [4] value %v : tensor<5xf32>, f32 -> tensor<12xf32>
  %2 = fuser.slice %1 [4] [5] : tensor<12xf32> -> tensor<5xf32>
  fuser.return %2 : tensor<5xf32>
}

// Every second element of a border at both ends: those of odd index are 2, 4 and 6 after the low border of 3.
// CHECK-LABEL: fuser.fusion @of_borders_by_2
// CHECK: %[[PART:.*]] = fuser.slice %x [0] [3] strides [2]
// CHECK: fuser.pad %[[PART]] low [1] high [1]
fuser.fusion @of_borders_by_2(%x: tensor<6xf32>) -> tensor<5xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.pad %x low [3] high [4] value %v : tensor<6xf32>, f32 -> tensor<13xf32>
  %1 = fuser.slice %0 [1] [5] strides [2] : tensor<13xf32> -> tensor<5xf32>
  fuser.return %1 : tensor<5xf32>
}

// Not a value with a border that others read, too, nor border alone.
// CHECK-LABEL: fuser.fusion @of_read_border
// CHECK: %[[PAD:.*]] = fuser.pad %x low [3] high [4]
// CHECK: fuser.slice %[[PAD]] [4] [5]
// CHECK-LABEL: fuser.fusion @of_border_alone
// CHECK: %[[PAD:.*]] = fuser.pad %x low [3] high [4]
// CHECK: fuser.slice %[[PAD]] [0] [3]
fuser.fusion @of_read_border(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<12xf32>) {
  %v = arith.constant 2.5 : f32
  %0 = fuser.pad %x low [3] high [4] value %v : tensor<5xf32>, f32 -> tensor<12xf32>
  %1 = fuser.slice %0 [4] [5] : tensor<12xf32> -> tensor<5xf32>
  %2 = fuser.exp %0 : tensor<12xf32>
  fuser.return %1, %2 : tensor<5xf32>, tensor<12xf32>
}
fuser.fusion @of_border_alone(%x: tensor<5xf32>) -> tensor<3xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.pad %x low [3] high [4] value %v : tensor<5xf32>, f32 -> tensor<12xf32>
  %1 = fuser.slice %0 [0] [3] : tensor<12xf32> -> tensor<3xf32>
  fuser.return %1 : tensor<3xf32>
}

// A slice of a slice.
// CHECK-LABEL: fuser.fusion @of_slice
// CHECK: fuser.slice %x [7] [2] strides [6]
// CHECK-NOT: fuser.slice
// CHECK: fuser.return
fuser.fusion @of_slice(%x: tensor<20xf32>) -> tensor<2xf32> {
  %0 = fuser.slice %x [1] [9] strides [2] : tensor<20xf32> -> tensor<9xf32>
  %1 = fuser.slice %0 [3] [2] strides [3] : tensor<9xf32> -> tensor<2xf32>
  %2 = fuser.neg %1 : tensor<2xf32>
  fuser.return %2 : tensor<2xf32>
}

// Also of dynamic dimensions, one of the slices has all of each: the first one of the third dimension, the second one of
// the first two.
// CHECK-LABEL: fuser.fusion @of_dynamic_slice
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?x?x20xf32>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[FAST:.*]] = tensor.dim %[[X]], %c2
// CHECK: fuser.slice %[[X]] [0, 2, 3, 7] [%[[SIZE]], %[[N]], %{{.*}}, 2] strides [1, 1, 1, 6]
// CHECK-NOT: fuser.slice
// CHECK: fuser.return
fuser.fusion @of_dynamic_slice(%x: tensor<?x?x?x20xf32>, %n: index) -> tensor<?x?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant -3 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x?x20xf32>
  %k = tensor.dim %x, %c2 : tensor<?x?x?x20xf32>
  %j = arith.addi %k, %c3 : index
  %0 = fuser.slice %x [0, 2, 0, 1] [%m, %n, %k, 9] strides [1, 1, 1, 2] : tensor<?x?x?x20xf32> -> tensor<?x?x?x9xf32>
  %1 = fuser.slice %0 [0, 0, 3, 3] [%m, %n, %j, 2] strides [1, 1, 1, 3] : tensor<?x?x?x9xf32> -> tensor<?x?x?x2xf32>
  %2 = fuser.neg %1 : tensor<?x?x?x2xf32>
  fuser.return %2 : tensor<?x?x?x2xf32>
}

// Not where each has a part of a dynamic dimension: a call whose sizes fit one of them may not fit the other.
// CHECK-LABEL: fuser.fusion @of_dynamic_part
// CHECK: %[[PART:.*]] = fuser.slice %x [2] [%n]
// CHECK: fuser.slice %[[PART]] [3] [2]
fuser.fusion @of_dynamic_part(%x: tensor<?xf32>, %n: index) -> tensor<2xf32> {
  %0 = fuser.slice %x [2] [%n] : tensor<?xf32> -> tensor<?xf32>
  %1 = fuser.slice %0 [3] [2] : tensor<?xf32> -> tensor<2xf32>
  %2 = fuser.neg %1 : tensor<2xf32>
  fuser.return %2 : tensor<2xf32>
}

// Windows that overlap are computed again from the argument, by few ops.
// CHECK-LABEL: fuser.fusion @of_windows
// CHECK-COUNT-3: fuser.slice %x
// CHECK: fuser.relu
// CHECK-NOT: fuser.slice
// CHECK: fuser.return
fuser.fusion @of_windows(%x: tensor<64xf32>, %a: tensor<1xf32>) -> tensor<31xf32> {
  %0 = fuser.sub %x, %a : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
  %1 = fuser.mul %0, %0 : tensor<64xf32>
  %2 = fuser.add %1, %0 : tensor<64xf32>
  %3 = fuser.mul %2, %0 : tensor<64xf32>
  %4 = fuser.add %3, %0 : tensor<64xf32>
  %5 = fuser.relu %4 : tensor<64xf32>
  %6 = fuser.slice %5 [0] [31] strides [2] : tensor<64xf32> -> tensor<31xf32>
  %7 = fuser.slice %5 [1] [31] strides [2] : tensor<64xf32> -> tensor<31xf32>
  %8 = fuser.slice %5 [2] [31] strides [2] : tensor<64xf32> -> tensor<31xf32>
  %9 = fuser.maximum %6, %7 : tensor<31xf32>
  %10 = fuser.maximum %9, %8 : tensor<31xf32>
  fuser.return %10 : tensor<31xf32>
}

// Also through a reshape that adds a dimension of size 1.
// CHECK-LABEL: fuser.fusion @of_reshaped_windows
// CHECK-COUNT-2: fuser.slice %x
// CHECK-NOT: fuser.slice
// CHECK: fuser.return
fuser.fusion @of_reshaped_windows(%x: tensor<8x64xf32>) -> tensor<8x1x63xf32> {
  %0 = fuser.mul %x, %x : tensor<8x64xf32>
  %1 = fuser.reshape %0 : tensor<8x64xf32> -> tensor<8x1x64xf32>
  %2 = fuser.slice %1 [0, 0, 0] [8, 1, 63] : tensor<8x1x64xf32> -> tensor<8x1x63xf32>
  %3 = fuser.slice %1 [0, 0, 1] [8, 1, 63] : tensor<8x1x64xf32> -> tensor<8x1x63xf32>
  %4 = fuser.add %2, %3 : tensor<8x1x63xf32>
  fuser.return %4 : tensor<8x1x63xf32>
}

// Also with a dynamic dimension that all of them have whole, and behind a border.
// CHECK-LABEL: fuser.fusion @of_dynamic_windows
// CHECK-NOT: fuser.reshape %x
// CHECK-COUNT-3: fuser.slice %x
// CHECK-NOT: fuser.slice
// CHECK: fuser.return
fuser.fusion @of_dynamic_windows(%x: tensor<?x64xf32>, %a: tensor<1xf32>) -> tensor<?x1x63xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %b = fuser.broadcast %a dims [0] : tensor<1xf32> -> tensor<1x1xf32>
  %0 = fuser.sub %x, %b : (tensor<?x64xf32>, tensor<1x1xf32>) -> tensor<?x64xf32>
  %1 = fuser.mul %0, %0 : tensor<?x64xf32>
  %2 = fuser.add %1, %0 : tensor<?x64xf32>
  %3 = fuser.mul %2, %0 : tensor<?x64xf32>
  %4 = fuser.add %3, %0 : tensor<?x64xf32>
  %5 = fuser.relu %4 : tensor<?x64xf32>
  %6 = fuser.reshape %5 : tensor<?x64xf32> -> tensor<?x1x64xf32>
  %v = arith.constant 0.0 : f32
  %7 = fuser.pad %6 low [0, 0, 1] high [0, 0, 0] value %v : tensor<?x1x64xf32>, f32 -> tensor<?x1x65xf32>
  %8 = fuser.slice %7 [0, 0, 0] [%n, 1, 63] : tensor<?x1x65xf32> -> tensor<?x1x63xf32>
  %9 = fuser.slice %7 [0, 0, 1] [%n, 1, 63] : tensor<?x1x65xf32> -> tensor<?x1x63xf32>
  %10 = fuser.slice %7 [0, 0, 2] [%n, 1, 63] : tensor<?x1x65xf32> -> tensor<?x1x63xf32>
  %11 = fuser.maximum %8, %9 : tensor<?x1x63xf32>
  %12 = fuser.maximum %11, %10 : tensor<?x1x63xf32>
  fuser.return %12 : tensor<?x1x63xf32>
}

// A slice of all elements is none.
// CHECK-LABEL: fuser.fusion @of_all
// CHECK-NOT: fuser.slice
// CHECK: fuser.return
fuser.fusion @of_all(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %0 = fuser.slice %x [0, 0] [%n, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
  %1 = fuser.neg %0 : tensor<?x64xf32>
  fuser.return %1 : tensor<?x64xf32>
}

// Not if many elements of many windows are computed again.
// CHECK-LABEL: fuser.fusion @of_many_windows
// CHECK: %[[VALUE:.*]] = fuser.relu
// CHECK-COUNT-7: fuser.slice %[[VALUE]]
fuser.fusion @of_many_windows(%x: tensor<64xf32>, %a: tensor<1xf32>) -> tensor<58xf32> {
  %0 = fuser.sub %x, %a : (tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
  %1 = fuser.mul %0, %0 : tensor<64xf32>
  %2 = fuser.add %1, %0 : tensor<64xf32>
  %3 = fuser.mul %2, %0 : tensor<64xf32>
  %4 = fuser.add %3, %0 : tensor<64xf32>
  %5 = fuser.relu %4 : tensor<64xf32>
  %s0 = fuser.slice %5 [0] [58] : tensor<64xf32> -> tensor<58xf32>
  %s1 = fuser.slice %5 [1] [58] : tensor<64xf32> -> tensor<58xf32>
  %s2 = fuser.slice %5 [2] [58] : tensor<64xf32> -> tensor<58xf32>
  %s3 = fuser.slice %5 [3] [58] : tensor<64xf32> -> tensor<58xf32>
  %s4 = fuser.slice %5 [4] [58] : tensor<64xf32> -> tensor<58xf32>
  %s5 = fuser.slice %5 [5] [58] : tensor<64xf32> -> tensor<58xf32>
  %s6 = fuser.slice %5 [6] [58] : tensor<64xf32> -> tensor<58xf32>
  %6 = fuser.maximum %s0, %s1 : tensor<58xf32>
  %7 = fuser.maximum %6, %s2 : tensor<58xf32>
  %8 = fuser.maximum %7, %s3 : tensor<58xf32>
  %9 = fuser.maximum %8, %s4 : tensor<58xf32>
  %10 = fuser.maximum %9, %s5 : tensor<58xf32>
  %11 = fuser.maximum %10, %s6 : tensor<58xf32>
  fuser.return %11 : tensor<58xf32>
}

// Not if the row is an argument, either: the kernel of the norm stores the part.
// CHECK-LABEL: fuser.fusion @part_of_norm
// CHECK: %[[Y:.*]] = fuser.sub %x
// CHECK: fuser.slice %[[Y]] [0, 8] [6, 16]
fuser.fusion @part_of_norm(%x: tensor<6x40xf32>) -> tensor<6x16xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.slice %2 [0, 8] [6, 16] : tensor<6x40xf32> -> tensor<6x16xf32>
  fuser.return %3 : tensor<6x16xf32>
}

// A scale of all elements of a large tensor: no kernel keeps them, and what reads them again computes the parts of a result.
// CHECK-LABEL: fuser.fusion @parts_of_large
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1024x512xf32>
// CHECK-DAG: fuser.slice %[[X]] [0, 0] [1024, 256]
// CHECK-DAG: fuser.slice %[[X]] [0, 256] [1024, 256]
// CHECK-NOT: fuser.slice
fuser.fusion @parts_of_large(%x: tensor<1024x512xf32>) -> tensor<1024x256xf32> {
  %0 = fuser.max %x dims [0, 1] : tensor<1024x512xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.div %x, %1 : (tensor<1024x512xf32>, tensor<1x1xf32>) -> tensor<1024x512xf32>
  %3 = fuser.floor %2 : tensor<1024x512xf32>
  %4 = fuser.slice %3 [0, 0] [1024, 256] : tensor<1024x512xf32> -> tensor<1024x256xf32>
  %5 = fuser.slice %3 [0, 256] [1024, 256] : tensor<1024x512xf32> -> tensor<1024x256xf32>
  %6 = fuser.add %4, %5 : tensor<1024x256xf32>
  fuser.return %6 : tensor<1024x256xf32>
}

// CHECK-LABEL: fuser.fusion @parts_of_small
// CHECK: %[[Q:.*]] = fuser.div
// CHECK: fuser.slice %[[Q]] [0, 0] [64, 256]
fuser.fusion @parts_of_small(%x: tensor<64x512xf32>) -> tensor<64x256xf32> {
  %0 = fuser.max %x dims [0, 1] : tensor<64x512xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.div %x, %1 : (tensor<64x512xf32>, tensor<1x1xf32>) -> tensor<64x512xf32>
  %3 = fuser.floor %2 : tensor<64x512xf32>
  %4 = fuser.slice %3 [0, 0] [64, 256] : tensor<64x512xf32> -> tensor<64x256xf32>
  %5 = fuser.slice %3 [0, 256] [64, 256] : tensor<64x512xf32> -> tensor<64x256xf32>
  %6 = fuser.add %4, %5 : tensor<64x256xf32>
  fuser.return %6 : tensor<64x256xf32>
}

// What elements are divided by is computed of single elements, not by a reduction: each column is computed by itself.
// CHECK-LABEL: fuser.fusion @columns_by_elements
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<6x2xf32>
// CHECK-DAG: %[[A:.*]] = fuser.slice %[[X]] [0, 0] [6, 1]
// CHECK-DAG: %[[B:.*]] = fuser.slice %[[X]] [0, 1] [6, 1]
// CHECK: fuser.add %[[A]], %[[B]]
// CHECK-NOT: fuser.slice
fuser.fusion @columns_by_elements(%x: tensor<6x2xf32>) -> tensor<6x1xf32> {
  %0 = fuser.slice %x [0, 0] [6, 1] : tensor<6x2xf32> -> tensor<6x1xf32>
  %1 = fuser.slice %x [0, 1] [6, 1] : tensor<6x2xf32> -> tensor<6x1xf32>
  %2 = fuser.add %0, %1 : tensor<6x1xf32>
  %3 = fuser.div %x, %2 : (tensor<6x2xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  %4 = fuser.slice %3 [0, 0] [6, 1] : tensor<6x2xf32> -> tensor<6x1xf32>
  %5 = fuser.slice %3 [0, 1] [6, 1] : tensor<6x2xf32> -> tensor<6x1xf32>
  %6 = fuser.mul %4, %5 : tensor<6x1xf32>
  fuser.return %6 : tensor<6x1xf32>
}

// At an offset of the call as well.
// CHECK-LABEL: fuser.fusion @part_at_offset
// CHECK: %[[Y:.*]] = fuser.sub %x
// CHECK: fuser.slice %[[Y]] [0, %{{.*}}] [6, 16]
fuser.fusion @part_at_offset(%x: tensor<6x40xf32>, %o: index) -> tensor<6x16xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.slice %2 [0, %o] [6, 16] : tensor<6x40xf32> -> tensor<6x16xf32>
  fuser.return %3 : tensor<6x16xf32>
}

// Below a pointwise op as well.
// CHECK-LABEL: fuser.fusion @part_below_cast
// CHECK: %[[Y:.*]] = fuser.cast
// CHECK: fuser.slice %[[Y]] [0, %{{.*}}] [6, 16]
fuser.fusion @part_below_cast(%x: tensor<6x40xf32>, %o: index) -> tensor<6x16xbf16> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.cast %2 : tensor<6x40xf32> to tensor<6x40xbf16>
  %4 = fuser.slice %3 [0, %o] [6, 16] : tensor<6x40xbf16> -> tensor<6x16xbf16>
  fuser.return %4 : tensor<6x16xbf16>
}

// If an op computes with the part, it reads a part of the argument.
// CHECK-LABEL: fuser.fusion @computed_part
// CHECK: fuser.slice %x [0, %{{.*}}] [6, 16]
// CHECK: fuser.sub
// CHECK: fuser.exp
fuser.fusion @computed_part(%x: tensor<6x40xf32>, %o: index) -> tensor<6x16xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.slice %2 [0, %o] [6, 16] : tensor<6x40xf32> -> tensor<6x16xf32>
  %4 = fuser.exp %3 : tensor<6x16xf32>
  fuser.return %4 : tensor<6x16xf32>
}

// A pad by amounts of unknown sign is a pad of a slice. The size of the slice is 0 if nothing is left.
// CHECK-LABEL: fuser.fusion @amounts
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x64xf32>, %[[L:[a-z0-9]+]]: index, %[[H:[a-z0-9]+]]: index
// CHECK: %[[ADDED:.*]] = arith.maxsi %[[L]], %
// CHECK: %[[LEFT:.*]] = arith.maxsi
// CHECK: %[[BEHIND:.*]] = arith.maxsi
// CHECK: %[[REST:.*]] = arith.subi %[[BEHIND]], %[[LEFT]]
// CHECK: %[[AFTER:.*]] = arith.maxsi %[[REST]], %
// CHECK: %[[O:.*]] = arith.subi %{{.*}}, %[[LEFT]]
// CHECK: %[[N:.*]] = arith.subi %[[BEHIND]], %[[AFTER]]
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %[[BEHIND]]
// CHECK: %[[S:.*]] = fuser.slice %[[X]] [%[[O]], 0] [%[[N]], 64]
// CHECK: %[[SUM:.*]] = fuser.sum %[[S]]
// CHECK: fuser.pad %[[SUM]] low [%[[BEFORE]]] high [%[[AFTER]]]
fuser.fusion @amounts(%x: tensor<?x64xf32>, %l: index, %h: index, %v: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Not of amounts that are known not to be negative, and not of what is computed element by element.
// CHECK-LABEL: fuser.fusion @positive_amounts
// CHECK-NOT: fuser.slice
fuser.fusion @positive_amounts(%x: tensor<?x64xf32>, %y: tensor<?xf32>, %l: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %y, %zero : tensor<?xf32>
  %m = arith.maxsi %l, %zero : index
  %0 = fuser.sum %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%m] high [%n] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.exp %y : tensor<?xf32>
  %3 = fuser.pad %2 low [%l] high [0] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// Slices that read all of a value, each element once, through a reshape, a sum with a bias and an activation.
// CHECK-LABEL: fuser.fusion @heads
// CHECK-NOT: fuser.slice {{.*}}x3x4x8
// CHECK-COUNT-2: fuser.silu {{.*}} : tensor<?x5x32xf32>
// CHECK-NOT: fuser.silu
// CHECK: fuser.return
fuser.fusion @heads(%x: tensor<?x5x64xf32>, %b: tensor<64xf32>) -> (tensor<?x4x5x8xf32>, tensor<?x4x5x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5x64xf32>
  %0 = fuser.broadcast %b dims [0, 1] : tensor<64xf32> -> tensor<1x1x64xf32>
  %1 = fuser.add %x, %0 : (tensor<?x5x64xf32>, tensor<1x1x64xf32>) -> tensor<?x5x64xf32>
  %2 = fuser.silu %1 : tensor<?x5x64xf32>
  %3 = fuser.reshape %2 : tensor<?x5x64xf32> -> tensor<?x5x2x4x8xf32>
  %4 = fuser.slice %3 [0, 0, 0, 0, 0] [%n, 5, 1, 4, 8] : tensor<?x5x2x4x8xf32> -> tensor<?x5x1x4x8xf32>
  %5 = fuser.squeeze %4 dims [2] : tensor<?x5x1x4x8xf32> -> tensor<?x5x4x8xf32>
  %6 = fuser.permute %5 [0, 2, 1, 3] : tensor<?x5x4x8xf32> -> tensor<?x4x5x8xf32>
  %7 = fuser.slice %3 [0, 0, 1, 0, 0] [%n, 5, 1, 4, 8] : tensor<?x5x2x4x8xf32> -> tensor<?x5x1x4x8xf32>
  %8 = fuser.squeeze %7 dims [2] : tensor<?x5x1x4x8xf32> -> tensor<?x5x4x8xf32>
  %9 = fuser.permute %8 [0, 2, 1, 3] : tensor<?x5x4x8xf32> -> tensor<?x4x5x8xf32>
  fuser.return %6, %9 : tensor<?x4x5x8xf32>, tensor<?x4x5x8xf32>
}

// Slices that overlap: together they are more than the value.
// CHECK-LABEL: fuser.fusion @overlapping
// CHECK: fuser.silu {{.*}} : tensor<8xf32>
// CHECK-NOT: fuser.silu
// CHECK: fuser.return
fuser.fusion @overlapping(%x: tensor<8xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = fuser.silu %x : tensor<8xf32>
  %1 = fuser.slice %0 [0] [5] : tensor<8xf32> -> tensor<5xf32>
  %2 = fuser.slice %0 [3] [5] : tensor<8xf32> -> tensor<5xf32>
  fuser.return %1, %2 : tensor<5xf32>, tensor<5xf32>
}

// A reduction of both halves stays one.
// CHECK-LABEL: fuser.fusion @halves_of_sums
// CHECK-COUNT-1: fuser.sum
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @halves_of_sums(%x: tensor<8x9xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<8x9xf32> -> tensor<8xf32>
  %1 = fuser.slice %0 [0] [4] : tensor<8xf32> -> tensor<4xf32>
  %2 = fuser.slice %0 [4] [4] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// Halves of a norm that are rotated, through the cheap ops behind the mean: of the argument.
// CHECK-LABEL: fuser.fusion @rotated_norm
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: fuser.slice %[[X]] [0, 4] [4, 4]
// CHECK-DAG: fuser.slice %[[X]] [0, 0] [4, 4]
// CHECK: fuser.cat
fuser.fusion @rotated_norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.mul %x, %x : tensor<4x8xf32>
  %1 = fuser.mean %0 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %2 = fuser.rsqrt %1 : tensor<4xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %4 = fuser.mul %x, %3 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %5 = fuser.slice %4 [0, 4] [4, 4] : tensor<4x8xf32> -> tensor<4x4xf32>
  %6 = fuser.neg %5 : tensor<4x4xf32>
  %7 = fuser.slice %4 [0, 0] [4, 4] : tensor<4x8xf32> -> tensor<4x4xf32>
  %8 = fuser.cat %6, %7 dim 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %9 = fuser.add %4, %8 : tensor<4x8xf32>
  fuser.return %9 : tensor<4x8xf32>
}

// Not of a softmax, whose exponentials would be computed again.
// CHECK-LABEL: fuser.fusion @rotated_softmax
// CHECK-COUNT-1: fuser.exp
// CHECK-NOT: fuser.exp
// CHECK: fuser.return
fuser.fusion @rotated_softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.exp %x : tensor<4x8xf32>
  %1 = fuser.sum %0 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %3 = fuser.div %0, %2 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %4 = fuser.slice %3 [0, 4] [4, 4] : tensor<4x8xf32> -> tensor<4x4xf32>
  %5 = fuser.neg %4 : tensor<4x4xf32>
  %6 = fuser.slice %3 [0, 0] [4, 4] : tensor<4x8xf32> -> tensor<4x4xf32>
  %7 = fuser.cat %5, %6 dim 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %8 = fuser.add %3, %7 : tensor<4x8xf32>
  fuser.return %8 : tensor<4x8xf32>
}

// A column of rows that a reshape splits is every n-th element, so that the slice moves on.
// CHECK-LABEL: fuser.fusion @columns
// CHECK-SAME: (%[[X:.*]]: tensor
// CHECK-NOT: fuser.reshape
// CHECK: %[[A:.*]] = fuser.slice %[[X]] [0, 0] [4, 32] strides [1, 2] : tensor<4x64xbf16> -> tensor<4x32xbf16>
// CHECK: %[[E:.*]] = fuser.cast %[[A]]
// CHECK: %[[B:.*]] = fuser.slice %[[X]] [0, 1] [4, 32] strides [1, 2] : tensor<4x64xbf16> -> tensor<4x32xbf16>
// CHECK: %[[O:.*]] = fuser.cast %[[B]]
// CHECK: %[[O1:.*]] = fuser.broadcast %[[O]] dims [2] : tensor<4x32xf32> -> tensor<4x32x1xf32>
// CHECK: fuser.return %[[E]], %[[O1]]
fuser.fusion @columns(%x: tensor<4x64xbf16>) -> (tensor<4x32xf32>, tensor<4x32x1xf32>) {
  %0 = fuser.cast %x : tensor<4x64xbf16> to tensor<4x64xf32>
  %1 = fuser.reshape %0 : tensor<4x64xf32> -> tensor<4x32x2xf32>
  %2 = fuser.slice %1 [0, 0, 0] [4, 32, 1] : tensor<4x32x2xf32> -> tensor<4x32x1xf32>
  %3 = fuser.squeeze %2 dims [2] : tensor<4x32x1xf32> -> tensor<4x32xf32>
  %4 = fuser.slice %1 [0, 0, 1] [4, 32, 1] : tensor<4x32x2xf32> -> tensor<4x32x1xf32>
  fuser.return %3, %4 : tensor<4x32xf32>, tensor<4x32x1xf32>
}

// Not two of four columns, and not a column of some of the rows.
// CHECK-LABEL: fuser.fusion @other_columns
// CHECK: fuser.reshape
// CHECK-NOT: strides
fuser.fusion @other_columns(%x: tensor<4x64xf32>) -> (tensor<4x16x2xf32>, tensor<4x15x1xf32>) {
  %0 = fuser.reshape %x : tensor<4x64xf32> -> tensor<4x16x4xf32>
  %1 = fuser.slice %0 [0, 0, 1] [4, 16, 2] : tensor<4x16x4xf32> -> tensor<4x16x2xf32>
  %2 = fuser.slice %0 [0, 1, 0] [4, 15, 1] : tensor<4x16x4xf32> -> tensor<4x15x1xf32>
  fuser.return %1, %2 : tensor<4x16x2xf32>, tensor<4x15x1xf32>
}

// Halves of what is rotated are read from the argument, although a slice and a reshape are in between: one kernel.
// CHECK-LABEL: fuser.fusion @rotated_of_packed
// CHECK-COUNT-3: fuser.permute
// CHECK-NOT: fuser.permute
// CHECK: fuser.cat
fuser.fusion @rotated_of_packed(%x: tensor<2x5x48xf32>, %s: tensor<5x8xf32>) -> tensor<2x4x5x8xf32> {
  %0 = fuser.slice %x [0, 0, 16] [2, 5, 32] : tensor<2x5x48xf32> -> tensor<2x5x32xf32>
  %1 = fuser.reshape %0 : tensor<2x5x32xf32> -> tensor<2x5x4x8xf32>
  %2 = fuser.permute %1 [0, 2, 1, 3] : tensor<2x5x4x8xf32> -> tensor<2x4x5x8xf32>
  %3 = fuser.slice %2 [0, 0, 0, 4] [2, 4, 5, 4] : tensor<2x4x5x8xf32> -> tensor<2x4x5x4xf32>
  %4 = fuser.neg %3 : tensor<2x4x5x4xf32>
  %5 = fuser.slice %2 [0, 0, 0, 0] [2, 4, 5, 4] : tensor<2x4x5x8xf32> -> tensor<2x4x5x4xf32>
  %6 = fuser.cat %4, %5 dim 3 : (tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>) -> tensor<2x4x5x8xf32>
  %7 = fuser.broadcast %s dims [0, 1] : tensor<5x8xf32> -> tensor<1x1x5x8xf32>
  %8 = fuser.mul %6, %7 : (tensor<2x4x5x8xf32>, tensor<1x1x5x8xf32>) -> tensor<2x4x5x8xf32>
  %9 = fuser.add %2, %8 : tensor<2x4x5x8xf32>
  fuser.return %9 : tensor<2x4x5x8xf32>
}

// A slice of a selection by an index that is never the border's has the other operand alone, one of the border's is still selected.
// CHECK-LABEL: fuser.fusion @borders
// CHECK-DAG: %[[LAST:.*]] = fuser.pad %{{.*}} low [0] high [1]
// CHECK-DAG: %[[INDEX:.*]] = fuser.iota %{{.*}}, %{{.*}} : i64, i64 -> tensor<62xi32>
// CHECK-DAG: %[[IS_LAST:.*]] = fuser.eq %[[INDEX]], %c65_i64
// CHECK: fuser.where %[[IS_LAST]], %{{.*}}, %[[LAST]]
// CHECK-NOT: fuser.where
// CHECK: fuser.return
fuser.fusion @borders(%x: tensor<64xf32>) -> (tensor<62xf32>, tensor<62xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c65 = arith.constant 65 : i64
  %zero = arith.constant 0.0 : f64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<66xi32>
  %1 = fuser.eq %0, %c65 : (tensor<66xi32>, i64) -> tensor<66xi1>
  %2 = fuser.pad %x low [1] high [1] value %zero : tensor<64xf32>, f64 -> tensor<66xf32>
  %3 = fuser.pad %x low [2] high [0] value %zero : tensor<64xf32>, f64 -> tensor<66xf32>
  %4 = fuser.where %1, %3, %2 : (tensor<66xi1>, tensor<66xf32>, tensor<66xf32>) -> tensor<66xf32>
  %5 = fuser.slice %4 [1] [62] : tensor<66xf32> -> tensor<62xf32>
  %6 = fuser.slice %4 [4] [62] : tensor<66xf32> -> tensor<62xf32>
  fuser.return %5, %6 : tensor<62xf32>, tensor<62xf32>
}

// The same of an unknown size, from which the bound, and the size of the slices, differ by constants. Not of a part whose size is a
// number of its own, which may reach the border.
// CHECK-LABEL: fuser.fusion @unknown_borders
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %{{.*}}: index
// CHECK-NOT: fuser.slice
// CHECK: %[[FIRST:.*]] = fuser.pad %[[X]] low [0] high [-2] value %{{.*}} : tensor<?xf32>, f64 -> tensor<?xf32>
// CHECK: %[[INDEX:.*]] = fuser.iota %{{.*}}, %{{.*}} length(%{{.*}}) : i64, i64 -> tensor<?xi32>
// CHECK: fuser.eq %[[INDEX]]
// CHECK-DAG: %[[SECOND:.*]] = fuser.pad %[[X]] low [-3] high [1] value
// CHECK-DAG: %[[LAST:.*]] = fuser.pad %[[X]] low [-2] high [0] value
// CHECK: fuser.where %{{.*}}, %[[LAST]], %[[SECOND]]
// CHECK: fuser.slice
// CHECK: fuser.where
// CHECK-NOT: fuser.where
// CHECK: fuser.return %[[FIRST]],
fuser.fusion @unknown_borders(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %dim = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %size = tensor.dim %x, %dim : tensor<?xf32>
  %all = arith.addi %size, %two : index
  %last = arith.addi %size, %one : index
  %bound = arith.index_cast %last : index to i64
  %less = arith.subi %size, %two : index
  %0 = fuser.iota %c0, %c1 length(%all) : i64, i64 -> tensor<?xi32>
  %1 = fuser.eq %0, %bound : (tensor<?xi32>, i64) -> tensor<?xi1>
  %2 = fuser.pad %x low [1] high [1] value %zero : tensor<?xf32>, f64 -> tensor<?xf32>
  %3 = fuser.pad %x low [2] high [0] value %zero : tensor<?xf32>, f64 -> tensor<?xf32>
  %4 = fuser.where %1, %3, %2 : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = fuser.slice %4 [1] [%less] : tensor<?xf32> -> tensor<?xf32>
  %6 = fuser.slice %4 [4] [%less] : tensor<?xf32> -> tensor<?xf32>
  %7 = fuser.slice %4 [2] [%n] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %5, %6, %7 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// All of an index on one side of a bound; not an index that wraps, nor one of an unknown start.
// CHECK-LABEL: fuser.fusion @known_sides
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[WRAPS:.*]] = fuser.where
// CHECK: %[[UNKNOWN:.*]] = fuser.where
// CHECK: fuser.return %[[A]], %[[B]], %[[A]], %[[WRAPS]], %[[UNKNOWN]]
fuser.fusion @known_sides(%a: tensor<8xf32>, %b: tensor<8xf32>, %s: i64) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c3 = arith.constant 3 : i64
  %c10 = arith.constant 10 : i64
  %c11 = arith.constant 11 : i64
  %cm1 = arith.constant -1 : i64
  %c125 = arith.constant 125 : i64
  %c1 = arith.constant 1 : i64
  %0 = fuser.iota %c10, %cm1 : i64, i64 -> tensor<8xi32>
  %1 = fuser.lt %0, %c11 : (tensor<8xi32>, i64) -> tensor<8xi1>
  %2 = fuser.where %1, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = fuser.eq %0, %c11 : (tensor<8xi32>, i64) -> tensor<8xi1>
  %4 = fuser.where %3, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = fuser.ge %0, %c3 : (tensor<8xi32>, i64) -> tensor<8xi1>
  %6 = fuser.where %5, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %7 = fuser.iota %c125, %c1 : i64, i64 -> tensor<8xi8>
  %8 = fuser.ge %7, %c10 : (tensor<8xi8>, i64) -> tensor<8xi1>
  %9 = fuser.where %8, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %10 = fuser.iota %s, %c1 : i64, i64 -> tensor<8xi32>
  %11 = fuser.ge %10, %c10 : (tensor<8xi32>, i64) -> tensor<8xi1>
  %12 = fuser.where %11, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  fuser.return %2, %4, %6, %9, %12 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Indices whose start and step have shorter types than they, and bounds that a comparison converts first.
// CHECK-LABEL: fuser.fusion @narrow_numbers
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8xf32>, %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK-DAG: %[[START:.*]] = arith.constant 400 : i64
// CHECK-DAG: %[[STEP:.*]] = arith.constant 100 : i64
// CHECK: %[[PART:.*]] = fuser.iota %[[START]], %[[STEP]] : i64, i64 -> tensor<2xi64>
// CHECK: %[[LONG:.*]] = fuser.where %{{.*}}, %[[A]], %[[B]]
// CHECK: %[[BOOL:.*]] = fuser.where %{{.*}}, %[[A]], %[[B]]
// CHECK: fuser.return %[[PART]], %[[LONG]], %[[BOOL]]
fuser.fusion @narrow_numbers(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<2xi64>, tensor<8xf32>, tensor<8xf32>) {
  %c100 = arith.constant 100 : i8
  %0 = fuser.iota %c100, %c100 : i8, i8 -> tensor<10xi64>
  %1 = fuser.slice %0 [3] [2] : tensor<10xi64> -> tensor<2xi64>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %long = arith.constant 4294967296 : i64
  %2 = fuser.iota %c0, %c1 : i32, i32 -> tensor<8xi32>
  %3 = fuser.eq %2, %long : (tensor<8xi32>, i64) -> tensor<8xi1>
  %4 = fuser.where %3, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %true = arith.constant true
  %5 = fuser.lt %2, %true : (tensor<8xi32>, i1) -> tensor<8xi1>
  %6 = fuser.where %5, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  fuser.return %1, %4, %6 : tensor<2xi64>, tensor<8xf32>, tensor<8xf32>
}

// The condition of a selection may be a scalar.
// CHECK-LABEL: fuser.fusion @scalar_condition
// CHECK: fuser.return
fuser.fusion @scalar_condition(%x: tensor<64xf32>, %y: tensor<64xf32>, %c: i1) -> (tensor<62xf32>, tensor<62xf32>) {
  %0 = fuser.neg %x : tensor<64xf32>
  %1 = fuser.mul %0, %y : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %2 = fuser.mul %1, %x : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %3 = fuser.mul %2, %x : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %4 = fuser.where %c, %3, %y : (i1, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %5 = fuser.slice %4 [1] [62] : tensor<64xf32> -> tensor<62xf32>
  %6 = fuser.slice %4 [2] [62] : tensor<64xf32> -> tensor<62xf32>
  fuser.return %5, %6 : tensor<62xf32>, tensor<62xf32>
}

// Columns of a norm by which all of a row is divided read the norm, also where several do.
// CHECK-LABEL: fuser.fusion @copies_of_one
// CHECK-SAME: (%[[X:.*]]: tensor<1000x3xf32>, %[[N:.*]]: tensor<1000x1xf32>)
// CHECK-NOT: fuser.expand
// CHECK: %[[A:.*]] = fuser.slice %[[X]] [0, 0]
// CHECK: fuser.div %[[A]], %[[N]]
// CHECK: %[[B:.*]] = fuser.slice %[[X]] [0, 2]
// CHECK: fuser.div %[[B]], %[[N]]
fuser.fusion @copies_of_one(%x: tensor<1000x3xf32>, %n: tensor<1000x1xf32>) -> tensor<1000x1xf32> {
  %0 = fuser.expand %n : tensor<1000x1xf32> -> tensor<1000x3xf32>
  %1 = fuser.div %x, %0 : tensor<1000x3xf32>
  %2 = fuser.slice %1 [0, 0] [1000, 1] : tensor<1000x3xf32> -> tensor<1000x1xf32>
  %3 = fuser.slice %1 [0, 2] [1000, 1] : tensor<1000x3xf32> -> tensor<1000x1xf32>
  %4 = fuser.sub %2, %3 : tensor<1000x1xf32>
  fuser.return %4 : tensor<1000x1xf32>
}

// Parts of what a number of all elements scales are computed from parts of the argument: no kernel keeps an unknown
// number of rows until the number is known.
// CHECK-LABEL: fuser.fusion @scaled_rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>)
// CHECK: %[[A:.*]] = fuser.slice %[[X]] [0, 0]
// CHECK: fuser.div %[[A]], %{{.*}} : (tensor<?x4xf32>, tensor<1x1xf32>)
// CHECK: %[[B:.*]] = fuser.slice %[[X]] [0, 4]
// CHECK: fuser.div %[[B]], %{{.*}} : (tensor<?x4xf32>, tensor<1x1xf32>)
fuser.fusion @scaled_rows(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %e = fuser.exp %x : tensor<?x8xf32>
  %0 = fuser.mean %e dims [0, 1] : tensor<?x8xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.div %x, %1 : (tensor<?x8xf32>, tensor<1x1xf32>) -> tensor<?x8xf32>
  %3 = fuser.round %2 : tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %4 = fuser.slice %3 [0, 0] [%n, 4] : tensor<?x8xf32> -> tensor<?x4xf32>
  %5 = fuser.slice %3 [0, 4] [%n, 4] : tensor<?x8xf32> -> tensor<?x4xf32>
  %6 = fuser.sub %4, %5 : tensor<?x4xf32>
  fuser.return %6 : tensor<?x4xf32>
}

// One of the rows that a reshape makes of each row is a part of it, without a dimension that is squeezed.
// CHECK-LABEL: fuser.fusion @rows_of_reshape
// CHECK-SAME: (%[[X:.*]]: tensor<5x12xf32>)
// CHECK-NOT: fuser.reshape
// CHECK: %[[A:.*]] = fuser.slice %[[X]] [0, 8] [5, 4] : tensor<5x12xf32> -> tensor<5x4xf32>
// CHECK: %[[B:.*]] = fuser.slice %[[X]] [0, 0] [5, 4] : tensor<5x12xf32> -> tensor<5x4xf32>
// CHECK: fuser.sub %[[A]], %[[B]]
fuser.fusion @rows_of_reshape(%x: tensor<5x12xf32>) -> tensor<5x4xf32> {
  %0 = fuser.reshape %x : tensor<5x12xf32> -> tensor<5x3x4xf32>
  %1 = fuser.slice %0 [0, 2, 0] [5, 1, 4] : tensor<5x3x4xf32> -> tensor<5x1x4xf32>
  %2 = fuser.squeeze %1 dims [1] : tensor<5x1x4xf32> -> tensor<5x4xf32>
  %3 = fuser.slice %0 [0, 0, 0] [5, 1, 4] : tensor<5x3x4xf32> -> tensor<5x1x4xf32>
  %4 = fuser.squeeze %3 dims [1] : tensor<5x1x4xf32> -> tensor<5x4xf32>
  %5 = fuser.sub %2, %4 : tensor<5x4xf32>
  fuser.return %5 : tensor<5x4xf32>
}

// Not where others read the reshape, or a part of the row.
// CHECK-LABEL: fuser.fusion @rows_of_read_reshape
// CHECK: fuser.reshape
// CHECK: fuser.reshape
fuser.fusion @rows_of_read_reshape(%x: tensor<5x12xf32>) -> (tensor<5x1x4xf32>, tensor<5x3x4xf32>, tensor<5x1x2xf32>) {
  %0 = fuser.reshape %x : tensor<5x12xf32> -> tensor<5x3x4xf32>
  %1 = fuser.slice %0 [0, 2, 0] [5, 1, 4] : tensor<5x3x4xf32> -> tensor<5x1x4xf32>
  %2 = fuser.exp %0 : tensor<5x3x4xf32>
  %3 = fuser.reshape %x : tensor<5x12xf32> -> tensor<5x3x4xf32>
  %4 = fuser.slice %3 [0, 1, 2] [5, 1, 2] : tensor<5x3x4xf32> -> tensor<5x1x2xf32>
  fuser.return %1, %2, %4 : tensor<5x1x4xf32>, tensor<5x3x4xf32>, tensor<5x1x2xf32>
}

// A size that an operand states and the result type knows stays static, also of a reshape.
// CHECK-LABEL: fuser.fusion @static_results
// CHECK: fuser.slice %{{.*}} [0, 0, %{{.*}}] [1, 6, %{{.*}}] : tensor<1x6x13xf32> -> tensor<1x6x2xf32>
// CHECK: fuser.reshape {{.*}} : tensor<1x6x2xf32> -> tensor<1x2x3x1x2xf32>
// CHECK: fuser.reshape {{.*}} -> tensor<6x1x2xf32>
fuser.fusion @static_results(%x: tensor<1x6x13xf32>, %o: index) -> tensor<6x1x2xf32> {
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %n = arith.subi %c5, %c3 : index
  %0 = fuser.exp %x : tensor<1x6x13xf32>
  %1 = fuser.reshape %0 : tensor<1x6x13xf32> -> tensor<1x2x3x1x13xf32>
  %2 = fuser.reshape %1 : tensor<1x2x3x1x13xf32> -> tensor<6x1x13xf32>
  %3 = fuser.slice %2 [0, 0, %o] [6, 1, %n] : tensor<6x1x13xf32> -> tensor<6x1x2xf32>
  fuser.return %3 : tensor<6x1x2xf32>
}
