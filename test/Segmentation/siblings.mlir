// RUN: fuser-opt %s --fuser-segment-fusions="target=h200" | FileCheck %s
// Reductions that read different values of a third kernel, which both compute again from the same arguments, are one kernel:
// the gradients of a layer norm whose rows are too long to be kept with their sums.

// CHECK-LABEL: fuser.kernel @gradients_0(
// CHECK: fuser.mean
// CHECK-NOT: fuser.sum
// CHECK-LABEL: fuser.kernel @gradients_1(
// CHECK: fuser.sum
// CHECK: fuser.sum
// CHECK-NOT: fuser.kernel @gradients_2(
// CHECK-LABEL: fuser.host @gradients(
fuser.fusion @gradients(%dy: tensor<4096x12288xbf16>, %x: tensor<4096x12288xbf16>, %rstd: tensor<4096x1xf32>) -> (tensor<4096x12288xbf16>, tensor<12288xf32>, tensor<12288xf32>) {
  %0 = fuser.cast %dy : tensor<4096x12288xbf16> to tensor<4096x12288xf32>
  %1 = fuser.cast %x : tensor<4096x12288xbf16> to tensor<4096x12288xf32>
  %2 = fuser.mul %1, %rstd : (tensor<4096x12288xf32>, tensor<4096x1xf32>) -> tensor<4096x12288xf32>
  %3 = fuser.mul %0, %2 : tensor<4096x12288xf32>
  %4 = fuser.mean %3 dims [1] : tensor<4096x12288xf32> -> tensor<4096xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %6 = fuser.mul %2, %5 : (tensor<4096x12288xf32>, tensor<4096x1xf32>) -> tensor<4096x12288xf32>
  %7 = fuser.sub %0, %6 : tensor<4096x12288xf32>
  %8 = fuser.cast %7 : tensor<4096x12288xf32> to tensor<4096x12288xbf16>
  %9 = fuser.sum %3 dims [0] : tensor<4096x12288xf32> -> tensor<12288xf32>
  %10 = fuser.sum %0 dims [0] : tensor<4096x12288xf32> -> tensor<12288xf32>
  fuser.return %8, %9, %10 : tensor<4096x12288xbf16>, tensor<12288xf32>, tensor<12288xf32>
}

// A reduction and what reads its result, of values that both read of a third kernel: the row is read once, and the other kernel
// does not store the products (the gradients of an RMS norm whose rows are too long to be kept with their sums).

// CHECK-LABEL: fuser.kernel @rows_0(
// CHECK: fuser.sum %{{.*}} dims [0]
// CHECK-NOT: -> (tensor
// CHECK-LABEL: fuser.kernel @rows_1(
// CHECK: fuser.sum %{{.*}} dims [1]
// CHECK: fuser.add
// CHECK-NOT: fuser.kernel @rows_2(
// CHECK-LABEL: fuser.host @rows(
fuser.fusion @rows(%rstd: tensor<10000x1xf32>, %x: tensor<10000x7168xbf16>, %dy: tensor<10000x7168xbf16>, %w: tensor<7168xbf16>) -> (tensor<7168xbf16>, tensor<10000x7168xbf16>) {
  %scale = arith.constant 7.0e+03 : f64
  %0 = fuser.cast %rstd : tensor<10000x1xf32> to tensor<10000x1xbf16>
  %1 = fuser.mul %x, %0 : (tensor<10000x7168xbf16>, tensor<10000x1xbf16>) -> tensor<10000x7168xbf16>
  %2 = fuser.mul %dy, %1 : tensor<10000x7168xbf16>
  %3 = fuser.broadcast %w dims [0] : tensor<7168xbf16> -> tensor<1x7168xbf16>
  %4 = fuser.mul %dy, %3 : (tensor<10000x7168xbf16>, tensor<1x7168xbf16>) -> tensor<10000x7168xbf16>
  %5 = fuser.sum %2 dims [0] : tensor<10000x7168xbf16> -> tensor<7168xbf16>
  %6 = fuser.mul %4, %x : tensor<10000x7168xbf16>
  %7 = fuser.mul %4, %0 : (tensor<10000x7168xbf16>, tensor<10000x1xbf16>) -> tensor<10000x7168xbf16>
  %8 = fuser.sum %6 dims [1] : tensor<10000x7168xbf16> -> tensor<10000xbf16>
  %9 = fuser.broadcast %8 dims [1] : tensor<10000xbf16> -> tensor<10000x1xbf16>
  %10 = fuser.cast %9 : tensor<10000x1xbf16> to tensor<10000x1xf32>
  %11 = fuser.expand %10 : tensor<10000x1xf32> -> tensor<10000x7168xf32>
  %12 = fuser.div %11, %scale : (tensor<10000x7168xf32>, f64) -> tensor<10000x7168xf32>
  %13 = fuser.cast %x : tensor<10000x7168xbf16> to tensor<10000x7168xf32>
  %14 = fuser.mul %12, %13 : tensor<10000x7168xf32>
  %15 = fuser.cast %14 : tensor<10000x7168xf32> to tensor<10000x7168xbf16>
  %16 = fuser.add %7, %15 : tensor<10000x7168xbf16>
  fuser.return %5, %16 : tensor<7168xbf16>, tensor<10000x7168xbf16>
}
