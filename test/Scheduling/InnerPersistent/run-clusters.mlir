// RUN: fuser-run %s --device=host --check --program=rows --sizes=3x33001 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=2x131072 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=norm --sizes=2x40000,40000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=two_at_once --sizes=2x33004 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=in_place --sizes=2x35000 | FileCheck %s
// Rows that the registers of a cluster hold and those of a block do not: one kernel of eight blocks per row.

// CHECK: kernels {{ *}}{{[a-z_]+}}_0: grid {{16|24}}, block
// CHECK-NEXT: compile
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// A softmax: two exchanges.
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}

// Mean and variance, and a weight that all rows share.
fuser.fusion @norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %eps = arith.constant 1.0e-05 : f32
  %v, %m = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.sub %x, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %2 = fuser.add %v, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %3 = fuser.rsqrt %2 : tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.mul %1, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %6 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %7 = fuser.mul %5, %6 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}

// Two reductions and an output in the same steps, and an output that needs no reduction.
fuser.fusion @two_at_once(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.add %0, %1 : tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.mul %x, %3 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %5 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %4, %5 : tensor<?x?xf32>, tensor<?x?xf32>
}

// The last step overwrites what the steps before have read.
fuser.fusion @in_place(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
