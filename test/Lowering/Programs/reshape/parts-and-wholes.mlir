// Kernels with reshapes in which ops have different parts of one whole: none is split.
// RUN: fuser-run %s --device=host --check-accesses --check --program=output_of_a_part --sizes=5x7,5x1 | FileCheck %s --implicit-check-not=fallback --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check-accesses --check --program=output_of_a_part --sizes=5x0,5x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=output_of_a_part --sizes=0x7,0x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=whole_and_part | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=two_factorizations | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=normalized_repeats | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=repeat_of_pad --sizes=12,105 --range=index=0:104 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=computed_multiple --sizes=513 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=repeat_of_part --sizes=128x5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=odd_before_pad --sizes=31 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=row_of_whole --sizes=3x3,3 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=index_of_part --sizes=31x31,12 --range=index=0:31 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=computed_multiple_of_term --sizes=7x9 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=reduction_of_part --sizes=5x5x5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=split_of_merge --sizes=200 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=multiple_of_doubled --sizes=64x7 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=doubled_sizes --sizes=128x1,128x2x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=index_of_rows --sizes=64x64x1,17 --range=index=0:63 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=equal_with_borders --sizes=31x31,31 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=pad_of_repeat --sizes=16x31 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=half_of_doubled --sizes=5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=repeat_of_row --sizes=513x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=two_orders_of_whole --sizes=100x64 | FileCheck %s --implicit-check-not=fallback
// ONE-NOT: output_of_a_part_1:
// CHECK: output 0: ok

// The loops are over the whole, which cannot be split: they are made of the output that has it, not
// of the first one, which has a part. Where the other part is empty, the whole is, but not the
// output of a part.
fuser.fusion @output_of_a_part(%x: tensor<?x?xf32>, %y: tensor<?x1xf32>) -> (tensor<?x1xf32>, tensor<?xf32>) {
  %0 = fuser.add %x, %y : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.exp %1 : tensor<?xf32>
  %3 = fuser.neg %y : tensor<?x1xf32>
  fuser.return %3, %2 : tensor<?x1xf32>, tensor<?xf32>
}

// The sum has a dimension of size 2 of its own and one of 128 that contains the same 2.
fuser.fusion @whole_and_part(%x: tensor<2x64xi32>) -> (tensor<2x64xi32>, tensor<2x128xi32>) {
  %0 = fuser.mul %x, %x : tensor<2x64xi32>
  %1 = fuser.relu %x : tensor<2x64xi32>
  %2 = fuser.reshape %1 : tensor<2x64xi32> -> tensor<128xi32>
  %3 = fuser.sum %0 dims [1] : tensor<2x64xi32> -> tensor<2xi32>
  %4 = fuser.broadcast %3 dims [1] : tensor<2xi32> -> tensor<2x1xi32>
  %5 = fuser.broadcast %2 dims [0] : tensor<128xi32> -> tensor<1x128xi32>
  %6 = fuser.add %5, %4 : (tensor<1x128xi32>, tensor<2x1xi32>) -> tensor<2x128xi32>
  fuser.return %0, %6 : tensor<2x64xi32>, tensor<2x128xi32>
}

// The inner part of the one is combined with the outer part of the other.
fuser.fusion @two_factorizations(%x: tensor<200xf32>, %y: tensor<200xf32>) -> tensor<10x20x10xf32> {
  %0 = fuser.maximum %x, %y : tensor<200xf32>
  %1 = fuser.reshape %0 : tensor<200xf32> -> tensor<10x20x1xf32>
  %2 = fuser.reshape %x : tensor<200xf32> -> tensor<1x20x10xf32>
  %3 = fuser.add %1, %2 : (tensor<10x20x1xf32>, tensor<1x20x10xf32>) -> tensor<10x20x10xf32>
  fuser.return %3 : tensor<10x20x10xf32>
}

// What is loaded has neither of the two repeated parts: the loops merge both stand-ins with it.
fuser.fusion @normalized_repeats(%x: tensor<16xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %0 = fuser.repeat %x [2] : tensor<16xf32> -> tensor<32xf32>
  %1 = fuser.repeat %0 [4] : tensor<32xf32> -> tensor<128xf32>
  %2 = fuser.maximum %1, %1 : tensor<128xf32>
  %3 = fuser.mean %1 dims [0] : tensor<128xf32> -> tensor<f32>
  %4 = fuser.broadcast %3 dims [0] : tensor<f32> -> tensor<1xf32>
  %5 = fuser.sub %1, %4 : (tensor<128xf32>, tensor<1xf32>) -> tensor<128xf32>
  fuser.return %5, %2 : tensor<128xf32>, tensor<128xf32>
}

// The part that is padded before it is repeated follows from what the op has, without a merge with
// the stand-in for the repetition.
fuser.fusion @repeat_of_pad(%index: tensor<?xi64>, %x: tensor<?xf32>) -> tensor<?x14xf32> {
  %one = arith.constant 1.5 : f32
  %0 = fuser.index_select %x, %index dim 0 : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x3xf32>
  %2 = fuser.pad %1 low [0, 3] high [0, 1] value %one : tensor<?x3xf32>, f32 -> tensor<?x7xf32>
  %3 = fuser.repeat %2 [1, 2] : tensor<?x7xf32> -> tensor<?x14xf32>
  fuser.return %3 : tensor<?x14xf32>
}

// 20 divides the size of what is padded, though it divides neither the size of the argument nor what is added.
fuser.fusion @computed_multiple(%x: tensor<?xf32>) -> tensor<?x20xf32> {
  %one = arith.constant 1.5 : f32
  %0 = fuser.pad %x low [3] high [4] value %one : tensor<?xf32>, f32 -> tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x20xf32>
  fuser.return %1 : tensor<?x20xf32>
}

// The loops merge both parts of the reshape: what is loaded has only a part of the whole, but is not split for it.
fuser.fusion @repeat_of_part(%x: tensor<128x?xi32>) -> tensor<?x128x2xi32> {
  %0 = fuser.neg %x : tensor<128x?xi32>
  %1 = fuser.repeat %0 [1, 4] : tensor<128x?xi32> -> tensor<128x?xi32>
  %2 = fuser.reshape %1 : tensor<128x?xi32> -> tensor<128x?x2xi32>
  %3 = fuser.permute %2 [1, 0, 2] : tensor<128x?x2xi32> -> tensor<?x128x2xi32>
  fuser.return %3 : tensor<?x128x2xi32>
}

// The schedule demands no divisor of a size that the hint contradicts.
fuser.fusion @odd_before_pad(%x: tensor<?xf64>) -> tensor<?x2xf64> {
  %one = arith.constant 1.5 : f64
  %0 = fuser.pad %x low [2] high [1] value %one : tensor<?xf64>, f64 -> tensor<?xf64>
  %1 = fuser.reshape %0 : tensor<?xf64> -> tensor<?x2xf64>
  fuser.return %1 : tensor<?x2xf64>
}

// The stand-in for the rows in the load of %y corresponds to that in the broadcast, which also merges its own row.
fuser.fusion @row_of_whole(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.maximum %0, %x : (tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.reshape %1 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.relu %2 : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// The load of %index has a part of what is repeated, and no loop over the repetitions.
fuser.fusion @index_of_part(%x: tensor<?x?xf32>, %index: tensor<?xi64>) -> tensor<?xf32> {
  %0 = fuser.index_select %x, %index dim 0 : tensor<?x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.repeat %1 [3] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// 3 divides what is added, and therefore the size of the argument.
fuser.fusion @computed_multiple_of_term(%x: tensor<7x?xf32>) -> tensor<7x?x3xf32> {
  %one = arith.constant 1.5 : f32
  %0 = fuser.pad %x low [0, 1] high [0, 2] value %one : tensor<7x?xf32>, f32 -> tensor<7x?xf32>
  %1 = fuser.abs %0 : tensor<7x?xf32>
  %2 = fuser.reshape %1 : tensor<7x?xf32> -> tensor<7x?x3xf32>
  %3 = fuser.add %2, %2 : tensor<7x?x3xf32>
  fuser.return %3 : tensor<7x?x3xf32>
}

// The reduction has a part of the output's dimension, which cannot be split: two kernels.
fuser.fusion @reduction_of_part(%x: tensor<?x?x?xf32>) -> tensor<?x1xf32> {
  %0 = fuser.min %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.repeat %0 [2, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.reshape %1 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  fuser.return %3 : tensor<?x1xf32>
}

// The load merges a part of each of two factors to 10, and splits it into these parts again.
fuser.fusion @split_of_merge(%x: tensor<?xi32>) -> tensor<10x?xi32> {
  %0 = fuser.mul %x, %x : tensor<?xi32>
  %1 = fuser.reshape %0 : tensor<?xi32> -> tensor<?x25x2xi32>
  %2 = fuser.reshape %1 : tensor<?x25x2xi32> -> tensor<?x5x5x2xi32>
  %3 = fuser.permute %2 [2, 3, 1, 0] : tensor<?x5x5x2xi32> -> tensor<5x2x5x?xi32>
  %4 = fuser.reshape %3 : tensor<5x2x5x?xi32> -> tensor<5x10x?xi32>
  %5 = fuser.sum %4 dims [0] : tensor<5x10x?xi32> -> tensor<10x?xi32>
  fuser.return %5 : tensor<10x?xi32>
}

// 7 divides the product of both sizes and 2, and therefore that of the sizes.
fuser.fusion @multiple_of_doubled(%x: tensor<?x?xf32>) -> tensor<?x7xf32> {
  %0 = fuser.cat %x, %x dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?x7xf32>
  fuser.return %1 : tensor<?x7xf32>
}

// That the doubled sizes are equal means that the sizes are.
fuser.fusion @doubled_sizes(%x: tensor<?x1xf64>, %y: tensor<?x2x1xf64>) -> tensor<?xf64> {
  %0 = fuser.cat %x, %x dim 1 : (tensor<?x1xf64>, tensor<?x1xf64>) -> tensor<?x2xf64>
  %1 = fuser.reshape %0 : tensor<?x2xf64> -> tensor<?xf64>
  %2 = fuser.sum %y dims [2] : tensor<?x2x1xf64> -> tensor<?x2xf64>
  %3 = fuser.reshape %2 : tensor<?x2xf64> -> tensor<?xf64>
  %4 = fuser.mul %1, %3 : tensor<?xf64>
  %5 = fuser.add %4, %4 : tensor<?xf64>
  fuser.return %5 : tensor<?xf64>
}

// The stand-in for the columns in the load of %index corresponds to the columns of %x, which merges a unit dimension too.
fuser.fusion @index_of_rows(%x: tensor<?x?x1xf32>, %index: tensor<?xi64>) -> tensor<?xf32> {
  %0 = fuser.index_select %x, %index dim 0 : tensor<?x?x1xf32>, tensor<?xi64> -> tensor<?x?x1xf32>
  %1 = fuser.reshape %0 : tensor<?x?x1xf32> -> tensor<?xf32>
  %2 = fuser.add %1, %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// That the padded sizes are equal means that the sizes are.
fuser.fusion @equal_with_borders(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %c = arith.constant 1.5 : f32
  %0 = fuser.pad %y low [2] high [2] value %c : tensor<?xf32>, f32 -> tensor<?xf32>
  %1 = fuser.pad %x low [1, 0] high [3, 0] value %c : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.add %1, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.cumsum %3 dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}

// The load lacks the repeat's factor, which the whole that the pad reads at an offset is made of.
fuser.fusion @pad_of_repeat(%x: tensor<?x?xi32>) -> tensor<?x1xi32> {
  %0 = fuser.cat %x, %x dim 1 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %1 = fuser.reshape %0 : tensor<?x?xi32> -> tensor<?xi32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xi32> -> tensor<?x1xi32>
  %c = arith.constant 3 : i32
  %3 = fuser.pad %2 low [2, 0] high [3, 0] value %c : tensor<?x1xi32>, i32 -> tensor<?x1xi32>
  %4 = fuser.add %3, %3 : tensor<?x1xi32>
  fuser.return %4 : tensor<?x1xi32>
}

// Half of the padded size and a quarter of its double are one extent.
fuser.fusion @half_of_doubled(%x: tensor<?xf64>) -> tensor<?x4xf64> {
  %c = arith.constant 1.5 : f64
  %0 = fuser.pad %x low [2] high [1] value %c : tensor<?xf64>, f64 -> tensor<?xf64>
  %1 = fuser.cat %0, %0 dim 0 : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %2 = fuser.sigmoid %1 : tensor<?xf64>
  %3 = fuser.reshape %2 : tensor<?xf64> -> tensor<?x4xf64>
  %4 = fuser.add %3, %3 : tensor<?x4xf64>
  fuser.return %4 : tensor<?x4xf64>
}

// Loads merge a unit dimension with a stand-in for the repeat's factor: what they have a stand-in for has the extent of both.
fuser.fusion @repeat_of_row(%x: tensor<?x1xi32>) -> tensor<1x?xi32> {
  %0 = fuser.sum %x dims [1] : tensor<?x1xi32> -> tensor<?xi32>
  %1 = fuser.add %0, %0 : tensor<?xi32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xi32> -> tensor<?x1xi32>
  %3 = fuser.mul %x, %2 : tensor<?x1xi32>
  %4 = fuser.permute %3 [1, 0] : tensor<?x1xi32> -> tensor<1x?xi32>
  %5 = fuser.cat %4, %4 dim 1 : (tensor<1x?xi32>, tensor<1x?xi32>) -> tensor<1x?xi32>
  %6 = fuser.abs %5 : tensor<1x?xi32>
  fuser.return %6 : tensor<1x?xi32>
}

// One output has the parts in the other order: it is split, merged and split again, and the load corresponds to the last parts.
fuser.fusion @two_orders_of_whole(%x: tensor<?x64xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = fuser.repeat %x [1, 2] : tensor<?x64xi32> -> tensor<?x128xi32>
  %1 = fuser.reshape %0 : tensor<?x128xi32> -> tensor<?xi32>
  %2 = fuser.permute %0 [1, 0] : tensor<?x128xi32> -> tensor<128x?xi32>
  %3 = fuser.sub %1, %1 : tensor<?xi32>
  %4 = fuser.reshape %2 : tensor<128x?xi32> -> tensor<?xi32>
  %5 = fuser.relu %4 : tensor<?xi32>
  fuser.return %5, %3 : tensor<?xi32>, tensor<?xi32>
}
