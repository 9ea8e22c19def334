// RUN: fuser-run %s --device=host --check --program=rows --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=rows --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=rows --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=6x10 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=12x0 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=columns --sizes=6x5 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=columns --sizes=6x1 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=columns --sizes=6x0 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=columns --sizes=6x700 | FileCheck %s --check-prefix=CHECK
// Softmax on either side of a reshape.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG
// CHECK: check {{.*}}output 0: ok

// The maximum before a split, the sum over both parts after it.
fuser.fusion @rows(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x12xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %3 = fuser.exp %2 : tensor<?x12xf32>
  %4 = fuser.reshape %3 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %5 = fuser.sum %4 dims [1, 2] : tensor<?x3x4xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1, 2] : tensor<?xf32> -> tensor<?x1x1xf32>
  %7 = fuser.div %4, %6 : (tensor<?x3x4xf32>, tensor<?x1x1xf32>) -> tensor<?x3x4xf32>
  fuser.return %7 : tensor<?x3x4xf32>
}

// Rows that a merge and a split of dynamic sizes make.
fuser.fusion @groups(%x: tensor<?x?xf32>) -> tensor<?x12xf32> {
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?x12xf32>
  %2 = fuser.max %1 dims [1] : tensor<?x12xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.sub %1, %3 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %5 = fuser.exp %4 : tensor<?x12xf32>
  %6 = fuser.sum %5 dims [1] : tensor<?x12xf32> -> tensor<?xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %8 = fuser.div %5, %7 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  fuser.return %8 : tensor<?x12xf32>
}

// Along the inner part of the outer dimension.
fuser.fusion @columns(%x: tensor<6x?xf32>) -> tensor<2x3x?xf32> {
  %0 = fuser.reshape %x : tensor<6x?xf32> -> tensor<2x3x?xf32>
  %1 = fuser.max %0 dims [1] : tensor<2x3x?xf32> -> tensor<2x?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<2x?xf32> -> tensor<2x1x?xf32>
  %3 = fuser.sub %0, %2 : (tensor<2x3x?xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  %4 = fuser.exp %3 : tensor<2x3x?xf32>
  %5 = fuser.sum %4 dims [1] : tensor<2x3x?xf32> -> tensor<2x?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<2x?xf32> -> tensor<2x1x?xf32>
  %7 = fuser.div %4, %6 : (tensor<2x3x?xf32>, tensor<2x1x?xf32>) -> tensor<2x3x?xf32>
  fuser.return %7 : tensor<2x3x?xf32>
}
