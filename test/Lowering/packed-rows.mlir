// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels)" | FileCheck %s
// A row of short elements stays packed in registers between its reduction and its use, so that the assembler does not
// keep it converted: a long one, and one that is not needed after the last reduction. Another one leaves registers for
// its converted elements and what is computed of them.

// CHECK-LABEL: gpu.module @long_row
// CHECK: %[[ROW:.*]] = vector.load {{.*}}vector<8xbf16>
// CHECK: fuser_gpu.shuffle
// CHECK: fuser_gpu.keep %[[ROW]]
fuser.kernel @long_row(%x: tensor<2048x65536xbf16>) -> tensor<2048x65536xbf16> {
  %0 = fuser.cast %x : tensor<2048x65536xbf16> to tensor<2048x65536xf32>
  %1 = fuser.mul %0, %0 : tensor<2048x65536xf32>
  %2 = fuser.mean %1 dims [1] : tensor<2048x65536xf32> -> tensor<2048xf32>
  %3 = fuser.rsqrt %2 : tensor<2048xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %5 = fuser.mul %0, %4 : (tensor<2048x65536xf32>, tensor<2048x1xf32>) -> tensor<2048x65536xf32>
  %6 = fuser.cast %5 : tensor<2048x65536xf32> to tensor<2048x65536xbf16>
  fuser.return %6 : tensor<2048x65536xbf16>
}

// CHECK-LABEL: gpu.module @short_row
// CHECK-NOT: fuser_gpu.keep
fuser.kernel @short_row(%x: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = fuser.cast %x : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = fuser.mul %0, %0 : tensor<2048x4096xf32>
  %2 = fuser.mean %1 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %3 = fuser.rsqrt %2 : tensor<2048xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %5 = fuser.mul %0, %4 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %6 = fuser.cast %5 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  fuser.return %6 : tensor<2048x4096xbf16>
}

// Two reductions, but nothing of an element is needed after the second one.
// CHECK-LABEL: gpu.module @last_sum
// CHECK: fuser_gpu.shuffle
// CHECK: fuser_gpu.keep
fuser.kernel @last_sum(%x: tensor<2048x4096xbf16>) -> tensor<2048xf32> {
  %0 = fuser.cast %x : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = fuser.max %0 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %4 = fuser.exp %3 : tensor<2048x4096xf32>
  %5 = fuser.sum %4 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %6 = fuser.log %5 : tensor<2048xf32>
  %7 = fuser.add %6, %1 : tensor<2048xf32>
  fuser.return %7 : tensor<2048xf32>
}

// CHECK-LABEL: gpu.module @softmax
// CHECK-NOT: fuser_gpu.keep
fuser.kernel @softmax(%x: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = fuser.cast %x : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = fuser.max %0 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %4 = fuser.exp %3 : tensor<2048x4096xf32>
  %5 = fuser.sum %4 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %7 = fuser.div %4, %6 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %8 = fuser.cast %7 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  fuser.return %8 : tensor<2048x4096xbf16>
}

// A short row of three reductions, each of which needs the one before: its elements would be kept as two functions.
// CHECK-LABEL: gpu.module @three_steps
// CHECK: fuser_gpu.keep
fuser.kernel @three_steps(%x: tensor<512x50257xbf16>) -> tensor<512x50257xbf16> {
  %0 = fuser.cast %x : tensor<512x50257xbf16> to tensor<512x50257xf32>
  %1 = fuser.max %0 dims [1] : tensor<512x50257xf32> -> tensor<512xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<512xf32> -> tensor<512x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<512x50257xf32>, tensor<512x1xf32>) -> tensor<512x50257xf32>
  %4 = fuser.exp %3 : tensor<512x50257xf32>
  %5 = fuser.sum %4 dims [1] : tensor<512x50257xf32> -> tensor<512xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<512xf32> -> tensor<512x1xf32>
  %7 = fuser.div %4, %6 : (tensor<512x50257xf32>, tensor<512x1xf32>) -> tensor<512x50257xf32>
  %8 = fuser.mul %7, %3 : tensor<512x50257xf32>
  %9 = fuser.sum %8 dims [1] : tensor<512x50257xf32> -> tensor<512xf32>
  %10 = fuser.broadcast %9 dims [1] : tensor<512xf32> -> tensor<512x1xf32>
  %11 = fuser.add %3, %10 : (tensor<512x50257xf32>, tensor<512x1xf32>) -> tensor<512x50257xf32>
  %12 = fuser.cast %11 : tensor<512x50257xf32> to tensor<512x50257xbf16>
  fuser.return %12 : tensor<512x50257xbf16>
}

// CHECK-LABEL: gpu.module @two_steps
// CHECK-NOT: fuser_gpu.keep
fuser.kernel @two_steps(%x: tensor<512x50257xbf16>) -> tensor<512x50257xbf16> {
  %0 = fuser.cast %x : tensor<512x50257xbf16> to tensor<512x50257xf32>
  %1 = fuser.max %0 dims [1] : tensor<512x50257xf32> -> tensor<512xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<512xf32> -> tensor<512x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<512x50257xf32>, tensor<512x1xf32>) -> tensor<512x50257xf32>
  %4 = fuser.exp %3 : tensor<512x50257xf32>
  %5 = fuser.sum %4 dims [1] : tensor<512x50257xf32> -> tensor<512xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<512xf32> -> tensor<512x1xf32>
  %7 = fuser.div %4, %6 : (tensor<512x50257xf32>, tensor<512x1xf32>) -> tensor<512x50257xf32>
  %8 = fuser.cast %7 : tensor<512x50257xf32> to tensor<512x50257xbf16>
  fuser.return %8 : tensor<512x50257xbf16>
}
