// RUN: fuser-run %s --device=host --check --target=a100 --program=rows --sizes=20x70000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=rows --sizes=60x33001 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=70x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=1x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=norm_of_columns --sizes=90x40,40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=two_at_once --sizes=150x33004 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=in_place --sizes=60x35000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=log_sum_exp --sizes=40x70000,40x1,40x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --target=a100 --program=log_of_sums --sizes=40x70000 | FileCheck %s
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

// The logarithm of a sum of exponentials, of which some rows have a greatest element that is infinite, or NaN.
fuser.fusion @log_sum_exp(%x: tensor<?x?xf32>, %m: tensor<?x1xf32>, %n: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %0 = fuser.relu %m : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %1 = fuser.log %0 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %2 = fuser.relu %n : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %3 = fuser.log %2 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %4 = fuser.sub %1, %3 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
  %y = fuser.add %x, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %5 = fuser.max %y dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.abs %6 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %8 = fuser.eq %7, %inf : (tensor<?x1xf32>, f64) -> tensor<?x1xi1>
  %9 = fuser.where %8, %zero, %6 : (tensor<?x1xi1>, f64, tensor<?x1xf32>) -> tensor<?x1xf32>
  %10 = fuser.sub %y, %9 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %11 = fuser.exp %10 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %12 = fuser.sum %11 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %13 = fuser.broadcast %12 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %14 = fuser.log %13 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %15 = fuser.add %14, %9 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
  fuser.return %15 : tensor<?x1xf32>
}

// A guard that nothing else uses goes with the sum that it was for.
fuser.fusion @log_of_sums(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.abs %1 : tensor<?x1xf32>
  %3 = fuser.eq %2, %inf : (tensor<?x1xf32>, f32) -> tensor<?x1xi1>
  %4 = fuser.where %3, %zero, %1 : (tensor<?x1xi1>, f32, tensor<?x1xf32>) -> tensor<?x1xf32>
  %5 = fuser.sub %x, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %6 = fuser.exp %5 : tensor<?x?xf32>
  %7 = fuser.sum %6 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.log %7 : tensor<?xf32>
  fuser.return %8 : tensor<?xf32>
}
