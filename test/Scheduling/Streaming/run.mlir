// RUN: fuser-run %s --device=host --check --target=a100 --program=rows --sizes=20x70000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=rows --sizes=60x33001 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=70x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=1x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=norm_of_columns --sizes=90x40,40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=two_at_once --sizes=150x33004 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=in_place --sizes=60x35000 | FileCheck %s
// Rows that are read again for each step, in one kernel, on devices without clusters.

// CHECK: kernels {{ *}}{{[a-z_]+}}_0: grid
// CHECK-NEXT: compile
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// A softmax of rows too long for registers.
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

// The difference to the mean is read by the variance and by the result, in two steps.
fuser.fusion @norm_of_columns(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %eps = arith.constant 1.0e-05 : f32
  %v, %m = fuser.var_mean %x dims [0] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %m dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.sub %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.add %v, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %3 = fuser.rsqrt %2 : tensor<?xf32>
  %4 = fuser.mul %3, %w : tensor<?xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %6 = fuser.mul %1, %5 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
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
