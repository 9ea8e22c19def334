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
