// RUN: fuser-run %s --device=host --check --program=columns --sizes=600x72 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=601x67 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=2048x256 --target=a100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=3000x40 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=in_place --sizes=300x48 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=residual --sizes=2x400x36,2x400x36,36 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=groups --sizes=2x20x20x8x12 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=groups --sizes=2x16x16x5x7 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=channels --sizes=40x3x20x20 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=channels --sizes=33x2x15x17 --target=h200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=masked --sizes=2x700x1,700x36,2x700x36 --target=h200 | FileCheck %s
// Strips of columns, of groups and of single channels stay in shared memory, of blocks and of clusters. Sizes that divide by nothing, narrow vectors, two inputs.

// CHECK: kernels {{ *}}{{[a-z_]+}}_0: grid
// CHECK-NEXT: compile
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// A softmax of columns.
fuser.fusion @columns(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %c = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %0 = fuser.max %c dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %c, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %7 = fuser.cast %6 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %7 : tensor<?x?xbf16>
}

// The result takes the place of the argument, which is read before.
fuser.fusion @in_place(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.mean %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// A norm of two summed inputs of different types over the middle dimension, and a third input that only the result reads.
fuser.fusion @residual(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xbf16>, %w: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %e = arith.constant 1.0e-05 : f32
  %c = fuser.cast %y : tensor<?x?x?xbf16> to tensor<?x?x?xf32>
  %s = fuser.add %x, %c : tensor<?x?x?xf32>
  %v, %m = fuser.var_mean %s dims [1] correction 0 : tensor<?x?x?xf32> -> tensor<?x?xf32>, tensor<?x?xf32>
  %0 = fuser.broadcast %m dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %1 = fuser.broadcast %v dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.add %1, %e : (tensor<?x1x?xf32>, f32) -> tensor<?x1x?xf32>
  %3 = fuser.rsqrt %2 : tensor<?x1x?xf32>
  %4 = fuser.sub %s, %0 : (tensor<?x?x?xf32>, tensor<?x1x?xf32>) -> tensor<?x?x?xf32>
  %5 = fuser.mul %4, %3 : (tensor<?x?x?xf32>, tensor<?x1x?xf32>) -> tensor<?x?x?xf32>
  %6 = fuser.broadcast %w dims [0, 1] : tensor<?xf32> -> tensor<1x1x?xf32>
  %7 = fuser.mul %5, %6 : (tensor<?x?x?xf32>, tensor<1x1x?xf32>) -> tensor<?x?x?xf32>
  fuser.return %7 : tensor<?x?x?xf32>
}

// Groups of channels that are last.
fuser.fusion @groups(%x: tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32> {
  %v, %m = fuser.var_mean %x dims [1, 2, 4] correction 0 : tensor<?x?x?x?x?xf32> -> tensor<?x?xf32>, tensor<?x?xf32>
  %0 = fuser.broadcast %m dims [1, 2, 4] : tensor<?x?xf32> -> tensor<?x1x1x?x1xf32>
  %1 = fuser.broadcast %v dims [1, 2, 4] : tensor<?x?xf32> -> tensor<?x1x1x?x1xf32>
  %2 = fuser.sub %x, %0 : (tensor<?x?x?x?x?xf32>, tensor<?x1x1x?x1xf32>) -> tensor<?x?x?x?x?xf32>
  %3 = fuser.mul %2, %1 : (tensor<?x?x?x?x?xf32>, tensor<?x1x1x?x1xf32>) -> tensor<?x?x?x?x?xf32>
  fuser.return %3 : tensor<?x?x?x?x?xf32>
}

// Batch norm of contiguous images.
fuser.fusion @channels(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %v, %m = fuser.var_mean %x dims [0, 2, 3] correction 0 : tensor<?x?x?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %m dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %1 = fuser.broadcast %v dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %2 = fuser.sub %x, %0 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  %3 = fuser.mul %2, %1 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  fuser.return %3 : tensor<?x?x?x?xf32>
}

// A mask of rows, and what batches share, are read again.
fuser.fusion @masked(%m: tensor<?x?x1xf32>, %p: tensor<?x?xf32>, %x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %b = fuser.broadcast %p dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %0 = fuser.add %x, %b : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %1 = fuser.mul %0, %m : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %4 = fuser.sub %0, %3 : (tensor<?x?x?xf32>, tensor<?x1x?xf32>) -> tensor<?x?x?xf32>
  %5 = fuser.mul %4, %m : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  fuser.return %5 : tensor<?x?x?xf32>
}
