// RUN: fuser-explain %s --program=sum_and_argument | FileCheck %s --check-prefix=ARGUMENT
// RUN: fuser-explain %s --program=twice | FileCheck %s --check-prefix=TWICE
// RUN: fuser-explain %s --program=rows_four_times | FileCheck %s --check-prefix=FOUR
// RUN: fuser-explain %s --program=five_times | FileCheck %s --check-prefix=FIVE
// RUN: fuser-explain %s --program=pointwise | FileCheck %s --check-prefix=POINTWISE
// RUN: fuser-run %s --device=host --check --program=sum_and_argument --sizes=8x16x40,8x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_argument --sizes=8x0x40,8x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_argument --sizes=8x5x7,8x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_argument --sizes=1x1x1,1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=part_of_argument --sizes=8x16x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=argument_twice --sizes=8x40,5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=nested --sizes=8x40,5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=twice --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=twice --sizes=9x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=twice --sizes=0x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=twice --sizes=3x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows_four_times --sizes=9x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=five_times --sizes=9x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=twice_and_live --sizes=9x33 | FileCheck %s
// S2.2: a part of a concatenation that is an argument is copied into its box, and a part that occurs several times is stored
// several times; no kernel copies a computed part.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// ARGUMENT: 2 kernels
// ARGUMENT: launches
// ARGUMENT-NEXT: @sum_and_argument_0 {{.*}}outs(%[[WHOLE:[0-9]+]][
// ARGUMENT-NEXT: @sum_and_argument_1 {{.*}}outs(%[[WHOLE]][
fuser.fusion @sum_and_argument(%x: tensor<?x?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.cat %0, %y dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// A view of an argument.
fuser.fusion @part_of_argument(%x: tensor<8x16x?xf32>) -> tensor<9x16xf32> {
  %0 = fuser.sum %x dims [2] : tensor<8x16x?xf32> -> tensor<8x16xf32>
  %1 = fuser.slice %x [3, 0, 2] [1, 16, 1] : tensor<8x16x?xf32> -> tensor<1x16x1xf32>
  %2 = fuser.squeeze %1 dims [2] : tensor<1x16x1xf32> -> tensor<1x16xf32>
  %3 = fuser.cat %2, %0 dim 0 : (tensor<1x16xf32>, tensor<8x16xf32>) -> tensor<9x16xf32>
  fuser.return %3 : tensor<9x16xf32>
}

fuser.fusion @argument_twice(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.cat %y, %0, %y dim 0 : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @nested(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.cat %0, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = fuser.pad %1 low [1] high [2] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %3 = fuser.cat %2, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// One kernel that stores the softmax twice.
// TWICE: 1 kernel,
// TWICE: launches
// TWICE-NEXT: @twice_0 ins(%x) outs(%[[WHOLE:[0-9]+]][{{.*}}], %[[WHOLE]][
// TWICE-NOT: @twice_1
fuser.fusion @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.cat %6, %6 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}

// FOUR: 1 kernel,
fuser.fusion @rows_four_times(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.repeat %2 [4, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// Not for more copies: a kernel of its own reads the value once.
// FIVE: 2 kernels
fuser.fusion @five_times(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.repeat %2 [5, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

fuser.fusion @twice_and_live(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.cat %2, %2 dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Not where everything is computed element by element: one kernel writes whole cache lines.
// POINTWISE: 1 kernel,
// POINTWISE-NOT: fuser.set
fuser.fusion @pointwise(%x: tensor<?x64xf32>, %y: tensor<?x32xf32>) -> tensor<?x96xf32> {
  %0 = fuser.exp %x : tensor<?x64xf32>
  %1 = fuser.cat %0, %y dim 1 : (tensor<?x64xf32>, tensor<?x32xf32>) -> tensor<?x96xf32>
  fuser.return %1 : tensor<?x96xf32>
}
