// A division by 0 is undefined also where its result is not used. A border keeps the grid from being empty where nothing
// is left of a cropped dimension, so that the size of that dimension may be 0 in a kernel that runs: a divisor is at
// least 1. In @rows a kernel without columns is not launched, and the size divides as it is.
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s
// RUN: fuser-run %s --program=columns --device=host --check --sizes=8x16x4 --scalar=l=2 --scalar=h=1 --scalar=m=1 --scalar=g=-2
// RUN: fuser-run %s --program=columns --device=host --check --sizes=8x16x4 --scalar=l=2 --scalar=h=1 --scalar=m=-4 --scalar=g=3
// RUN: fuser-run %s --program=columns --device=host --check --sizes=8x16x4 --scalar=l=-8 --scalar=h=2 --scalar=m=1 --scalar=g=1
// RUN: fuser-run %s --program=columns --device=host --check --sizes=8x16x0 --scalar=l=2 --scalar=h=1 --scalar=m=1 --scalar=g=2
// RUN: fuser-run %s --program=rows --device=host --check --sizes=8x16x4
// RUN: fuser-run %s --program=rows --device=host --check --sizes=8x16x0

// CHECK-LABEL: gpu.func @columns_0
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[COLUMNS:.*]] = arith.maxui %{{.*}}, %c1 : index
// CHECK: arith.remui %[[BLOCK]], %[[COLUMNS]] : index
// CHECK: arith.divui %[[BLOCK]], %[[COLUMNS]] : index
fuser.fusion @columns(%x: tensor<?x?x?xf32>, %l: index, %h: index, %m: index, %g: index) -> tensor<?x?xf32> {
  %v = arith.constant 1.5 : f32
  %s = fuser.sum %x dims [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %y = fuser.pad %s low [%l, %m] high [%h, %g] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %y : tensor<?x?xf32>
}

// CHECK-LABEL: gpu.func @rows_0
// CHECK-NOT: arith.maxui
// CHECK: gpu.return
fuser.fusion @rows(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %s = fuser.sum %x dims [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %s : tensor<?x?xf32>
}
