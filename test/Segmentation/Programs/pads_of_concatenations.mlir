// RUN: fuser-explain %s --program=arguments --sizes=5x64,4x64 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=pointwise --sizes=5x64,4x64 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=columns --sizes=5x64,5x32 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=sums --sizes=5x64x8,4x64x8 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=three_parts --sizes=3x64,4x64x8,2x64 | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=one_part_twice --sizes=4x8x16 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=read_by_a_kernel | FileCheck %s --check-prefix=TWO
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=-2 --scalar h=3 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=-7 --scalar h=3 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=-9 --scalar h=5 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=5 --scalar h=-4 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=12 --scalar h=-9 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=3 --scalar h=-8 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=-3 --scalar h=-3 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_parts --sizes=3x64,4x64x8,2x64 --scalar l=0 --scalar h=0 --scalar k=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=arguments --sizes=5x64,4x64 --scalar l=-2 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=arguments --sizes=5x64,4x64 --scalar l=-6 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=arguments --sizes=5x64,4x64 --scalar l=2 --scalar h=-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pointwise --sizes=5x64,4x64 --scalar l=-2 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pointwise --sizes=5x64,4x64 --scalar l=-6 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pointwise --sizes=5x64,4x64 --scalar l=2 --scalar h=-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=5x64,5x32 --scalar l=-2 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=5x64,5x32 --scalar l=-6 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=5x64,5x32 --scalar l=2 --scalar h=-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sums --sizes=5x64x8,4x64x8 --scalar l=-2 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sums --sizes=5x64x8,4x64x8 --scalar l=-6 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sums --sizes=5x64x8,4x64x8 --scalar l=2 --scalar h=-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_part_twice --sizes=4x8x16 --scalar l=-2 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_part_twice --sizes=4x8x16 --scalar l=-6 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_part_twice --sizes=4x8x16 --scalar l=2 --scalar h=-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_by_a_kernel --scalar l=-2 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_by_a_kernel --scalar l=-6 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_by_a_kernel --scalar l=2 --scalar h=-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sums --sizes=5x64x8,4x64x8 --scalar l=-9 --scalar h=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=arguments --sizes=5x64,4x64 --scalar l=-20 --scalar h=30 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pointwise --sizes=5x64,4x64 --scalar l=30 --scalar h=-25 | FileCheck %s
// RUN: not fuser-run %s --device=host --check --program=arguments --sizes=5x64,4x64 --scalar l=-9 --scalar h=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: fuser-run %s --device=host --check --program=parts_of_one --sizes=16x2 --scalar l=-1 --scalar h=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts_of_one --sizes=16x2 --scalar l=-2 --scalar h=0 | FileCheck %s
// S2.1, S2.2, S2.6: the pad of a concatenation by amounts of any sign is stored by the kernel of each part, also where it crops whole parts.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// TWO: fused {{ *}}2 kernels,
// THREE: fused {{ *}}3 kernels,
// NEGATIVE: expected 0 <= ((a.size[0] + b.size[0]) + l) + h (box of 'fuser.pad'), but got 0 and -1

// Arguments: each is copied into its box.
fuser.fusion @arguments(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>, %l: index, %h: index) -> tensor<?x64xf32> {
  %v = arith.constant 0.0 : f32
  %c = fuser.cat %a, %b dim 0 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = fuser.pad %c low [%l, 0] high [%h, 0] value %v : tensor<?x64xf32>, f32 -> tensor<?x64xf32>
  fuser.return %p : tensor<?x64xf32>
}

// What is computed element by element.
fuser.fusion @pointwise(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>, %l: index, %h: index) -> tensor<?x64xf32> {
  %v = arith.constant 0.0 : f32
  %a1 = fuser.exp %a : tensor<?x64xf32>
  %b1 = fuser.neg %b : tensor<?x64xf32>
  %c = fuser.cat %a1, %b1 dim 0 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = fuser.pad %c low [%l, 0] high [%h, 0] value %v : tensor<?x64xf32>, f32 -> tensor<?x64xf32>
  fuser.return %p : tensor<?x64xf32>
}

// Along the fastest dimension.
fuser.fusion @columns(%a: tensor<?x64xf32>, %b: tensor<?x32xf32>, %l: index, %h: index) -> tensor<?x?xf32> {
  %v = arith.constant 0.0 : f32
  %c = fuser.cat %a, %b dim 1 : (tensor<?x64xf32>, tensor<?x32xf32>) -> tensor<?x96xf32>
  %p = fuser.pad %c low [0, %l] high [0, %h] value %v : tensor<?x96xf32>, f32 -> tensor<?x?xf32>
  fuser.return %p : tensor<?x?xf32>
}

// Sums of which the rows that are left are computed.
fuser.fusion @sums(%a: tensor<?x64x8xf32>, %b: tensor<?x64x8xf32>, %l: index, %h: index) -> tensor<?x64xf32> {
  %v = arith.constant 0.0 : f32
  %a1 = fuser.sum %a dims [2] : tensor<?x64x8xf32> -> tensor<?x64xf32>
  %b1 = fuser.sum %b dims [2] : tensor<?x64x8xf32> -> tensor<?x64xf32>
  %c = fuser.cat %a1, %b1 dim 0 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = fuser.pad %c low [%l, 0] high [%h, 0] value %v : tensor<?x64xf32>, f32 -> tensor<?x64xf32>
  fuser.return %p : tensor<?x64xf32>
}

// Three kinds of parts, and a pad along the other dimension.
fuser.fusion @three_parts(%a: tensor<?x64xf32>, %b: tensor<?x64x8xf32>, %e: tensor<?x64xf32>, %l: index, %h: index, %k: index) -> tensor<?x?xf32> {
  %v = arith.constant 1.5 : f32
  %a1 = fuser.exp %a : tensor<?x64xf32>
  %b1 = fuser.sum %b dims [2] : tensor<?x64x8xf32> -> tensor<?x64xf32>
  %c = fuser.cat %a1, %b1, %e dim 0 : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = fuser.pad %c low [%l, %k] high [%h, 1] value %v : tensor<?x64xf32>, f32 -> tensor<?x?xf32>
  fuser.return %p : tensor<?x?xf32>
}

// One sum in two boxes: a kernel copies one of them, or the sum.
fuser.fusion @one_part_twice(%a: tensor<?x8x16xf32>, %l: index, %h: index) -> tensor<?x8xf32> {
  %v = arith.constant 1.5 : f32
  %s = fuser.sum %a dims [2] : tensor<?x8x16xf32> -> tensor<?x8xf32>
  %c = fuser.cat %s, %s dim 0 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = fuser.pad %c low [%l, 0] high [%h, 0] value %v : tensor<?x8xf32>, f32 -> tensor<?x8xf32>
  fuser.return %p : tensor<?x8xf32>
}

// A kernel that computes with the result reads the concatenation.
fuser.fusion @read_by_a_kernel(%a: tensor<3x8xbf16>, %b: tensor<4x8xbf16>, %l: index, %h: index) -> tensor<?x8xbf16> {
  %v = arith.constant 1.5 : bf16
  %c = fuser.cat %a, %b dim 0 : (tensor<3x8xbf16>, tensor<4x8xbf16>) -> tensor<7x8xbf16>
  %p = fuser.pad %c low [%l, 0] high [%h, 0] value %v : tensor<7x8xbf16>, bf16 -> tensor<?x8xbf16>
  %q = fuser.neg %p : tensor<?x8xbf16>
  fuser.return %q : tensor<?x8xbf16>
}

// Along the dimension of the parts no amount is negative: parts keep their static size.
fuser.fusion @parts_of_one(%x: tensor<?x?xf64>, %l: index, %h: index) -> tensor<?x4x?xf64> {
  %v = arith.constant 1.5 : f64
  %0 = fuser.broadcast %x dims [1] : tensor<?x?xf64> -> tensor<?x1x?xf64>
  %1 = fuser.gt %0, %0 : (tensor<?x1x?xf64>, tensor<?x1x?xf64>) -> tensor<?x1x?xi1>
  %2 = fuser.where %1, %0, %0 : (tensor<?x1x?xi1>, tensor<?x1x?xf64>, tensor<?x1x?xf64>) -> tensor<?x1x?xf64>
  %3 = fuser.cat %0, %2 dim 1 : (tensor<?x1x?xf64>, tensor<?x1x?xf64>) -> tensor<?x2x?xf64>
  %4 = fuser.pad %3 low [3, 2, %l] high [%h, 0, 2] value %v : tensor<?x2x?xf64>, f64 -> tensor<?x4x?xf64>
  fuser.return %4 : tensor<?x4x?xf64>
}
