// RUN: fuser-run %s --program=halves --device=host --check --sizes=7x9,7x1 --range i=-3:12 | FileCheck %s
// RUN: fuser-run %s --program=halves --device=host --check --sizes=1x1,1x1 --range i=0:1 | FileCheck %s
// RUN: fuser-run %s --program=halves --device=host --check --sizes=0x9,0x1 | FileCheck %s
// RUN: fuser-run %s --program=halves --device=host --check --sizes=7x0,7x1 --range i=0:3 | FileCheck %s
// RUN: fuser-run %s --program=bools --device=host --check --sizes=7x9,7x1 --range i=-3:12 | FileCheck %s
// RUN: fuser-run %s --program=one_row --device=host --check --sizes=1x9,7x1 --range i=-3:12 | FileCheck %s
// RUN: fuser-run %s --program=softmax --device=host --check --sizes=33x300,33x1,33x300 --range i=0:300 | FileCheck %s
// Elements picked before what is computed of rows is; 0 where the index is outside.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
fuser.fusion @halves(%x: tensor<?x?xbf16>, %i: tensor<?x1xi64>) -> tensor<?x1xbf16> {
  %0 = fuser.exp %x : tensor<?x?xbf16>
  %1 = fuser.take_along_axis %0, %i dim 1 : tensor<?x?xbf16>, tensor<?x1xi64> -> tensor<?x1xbf16>
  fuser.return %1 : tensor<?x1xbf16>
}

fuser.fusion @bools(%x: tensor<?x?xi1>, %i: tensor<?x1xi32>) -> tensor<?x1xi1> {
  %0 = fuser.logical_not %x : tensor<?x?xi1>
  %1 = fuser.take_along_axis %0, %i dim 1 : tensor<?x?xi1>, tensor<?x1xi32> -> tensor<?x1xi1>
  fuser.return %1 : tensor<?x1xi1>
}

// The index has more rows than the tensor.
fuser.fusion @one_row(%x: tensor<1x?xf32>, %i: tensor<?x1xi64>) -> tensor<?x1xf32> {
  %0 = fuser.exp %x : tensor<1x?xf32>
  %1 = fuser.take_along_axis %0, %i dim 1 : tensor<1x?xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  fuser.return %1 : tensor<?x1xf32>
}

// What reductions make of the rows is picked, too, and the rows are an output.
fuser.fusion @softmax(%x: tensor<?x?xf32>, %i: tensor<?x1xi64>, %w: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>) {
  %max = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %c = fuser.sub %x, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = fuser.exp %c : tensor<?x?xf32>
  %sum = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %p = fuser.div %e, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %y = fuser.mul %p, %w : tensor<?x?xf32>
  %1 = fuser.take_along_axis %y, %i dim 1 : tensor<?x?xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  fuser.return %y, %1 : tensor<?x?xf32>, tensor<?x1xf32>
}
