// RUN: fuser-opt %s --fuser-reduce-pads > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-reduce-pads | diff %t.after.mlir -
// RUN: fuser-run %s --program=sum --device=reference --sizes=9x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=sum --device=reference --sizes=9x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-explain %s --program=sum | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=source_and_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=sum --device=host --sizes=9x7 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=sum --device=host --sizes=0x7 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=sum --device=host --sizes=5x0 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=source_and_pad --device=host --sizes=33x64 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=source_and_pad --device=host --sizes=1x1 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=kinds --device=host --sizes=9x7,9x7 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=amounts --device=host --sizes=9x7 --scalar n=2 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=amounts --device=host --sizes=9x7 --scalar n=-3 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=stays --device=host --sizes=9x7 --scalar n=-3 --check | FileCheck %s --check-prefix=NUMBERS
// S2.1, S2.3: the sum of what is padded with 0 is that of what is padded, so that one kernel computes both.
// NUMBERS: check {{.*}} ok
// ONE: fused {{ *}}1 kernel,

// CHECK-LABEL: fuser.fusion @sum
// CHECK: %[[E:.*]] = fuser.exp
// CHECK: %[[S:.*]] = fuser.sum %[[E]] dims [1] : tensor<?x?xf32> -> tensor<?xf32>
// CHECK: %[[P:.*]] = fuser.pad %[[S]] low [1] high [3] value %{{.*}} : tensor<?xf32>, f32 -> tensor<?xf32>
// CHECK: fuser.return %[[P]]
fuser.fusion @sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.pad %0 low [1, 2] high [3, 4] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// The pad has another use. What is not padded along the kept dimensions needs no pad.
// CHECK-LABEL: fuser.fusion @source_and_pad
// CHECK: %[[E:.*]] = fuser.exp
// CHECK: %[[P:.*]] = fuser.pad %[[E]]
// CHECK: %[[S:.*]] = fuser.sum %[[E]]
// CHECK: fuser.return %[[E]], %[[P]], %[[S]]
fuser.fusion @source_and_pad(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.pad %0 low [0, 2] high [0, 4] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @kinds
// CHECK: fuser.max %x
// CHECK: fuser.prod %x
// CHECK: fuser.min %y
// CHECK: fuser.sum %y
fuser.fusion @kinds(%x: tensor<?x?xf32>, %y: tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>) {
  %least = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %most = arith.constant 2147483647 : i32
  %zero = arith.constant 0 : i32
  %0 = fuser.pad %x low [1, 1] high [0, 0] value %least : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %1 = fuser.max %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.pad %x low [1, 1] high [0, 0] value %one : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %3 = fuser.prod %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %4 = fuser.pad %y low [1, 1] high [0, 0] value %most : tensor<?x?xi32>, i32 -> tensor<?x?xi32>
  %5 = fuser.min %4 dims [0] : tensor<?x?xi32> -> tensor<?xi32>
  %6 = fuser.pad %y low [1, 1] high [0, 0] value %zero : tensor<?x?xi32>, i32 -> tensor<?x?xi32>
  %7 = fuser.sum %6 dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  fuser.return %1, %3, %5, %7 : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>
}

// Amounts of the call along a dimension that is kept.
// CHECK-LABEL: fuser.fusion @amounts
// CHECK: %[[S:.*]] = fuser.sum %x
// CHECK: fuser.pad %[[S]] low [%n] high [1]
fuser.fusion @amounts(%x: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [%n, 2] high [1, 0] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Does nothing where the border is not neutral, where the mean counts it, and where elements may be cropped.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: %[[A:.*]] = fuser.pad
// CHECK: fuser.sum %[[A]]
// CHECK: fuser.max %[[A]]
// CHECK: %[[B:.*]] = fuser.pad
// CHECK: fuser.mean %[[B]]
// CHECK: fuser.max %[[B]]
// CHECK: %[[C:.*]] = fuser.pad
// CHECK: fuser.sum %[[C]]
// CHECK: %[[D:.*]] = fuser.pad
// CHECK: fuser.sum %[[D]]
fuser.fusion @stays(%x: tensor<?x?xf32>, %n: index)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [1, 1] high [0, 0] value %one : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.pad %x low [1, 1] high [0, 0] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %4 = fuser.mean %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.max %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.pad %x low [1, -1] high [0, 3] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %7 = fuser.sum %6 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.pad %x low [1, 0] high [0, %n] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %9 = fuser.sum %8 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2, %4, %5, %7, %9 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
