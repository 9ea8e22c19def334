// RUN: fuser-opt %s --fuser-choose-schedules="target=h200" | FileCheck %s
// RUN: fuser-opt %s --fuser-choose-schedules="target=a100" | FileCheck %s --check-prefix=OLD
// Which kernels are streamed, and with which threads.

// A row that the registers of a cluster do not hold.
// CHECK-LABEL: fuser.kernel @long_rows
// CHECK-SAME: schedule = #fuser_sched.streaming<threads_x = 256, vector = 8, unroll = 8>
fuser.kernel @long_rows(%x: tensor<4096x524288xbf16>) -> tensor<4096x524288xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x524288xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x524288xbf16>, tensor<4096x1xbf16>) -> tensor<4096x524288xbf16>
  fuser.return %2 : tensor<4096x524288xbf16>
}

// One that they hold is kept.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<
fuser.kernel @short_rows(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x4096xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x4096xbf16>, tensor<4096x1xbf16>) -> tensor<4096x4096xbf16>
  fuser.return %2 : tensor<4096x4096xbf16>
}

// One that is read three times: one block for each multiprocessor.
// CHECK-LABEL: fuser.kernel @read_again
// CHECK-SAME: schedule = #fuser_sched.streaming<threads_x = 1024, vector = 8, unroll = 8>
fuser.kernel @read_again(%x: tensor<4096x524288xbf16>) -> tensor<4096x524288xbf16> {
  %0 = fuser.mean %x dims [1] : tensor<4096x524288xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x524288xbf16>, tensor<4096x1xbf16>) -> tensor<4096x524288xbf16>
  %3 = fuser.mul %2, %2 : tensor<4096x524288xbf16>
  %4 = fuser.mean %3 dims [1] : tensor<4096x524288xbf16> -> tensor<4096xbf16>
  %5 = fuser.broadcast %4 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %6 = fuser.mul %2, %5 : (tensor<4096x524288xbf16>, tensor<4096x1xbf16>) -> tensor<4096x524288xbf16>
  fuser.return %6 : tensor<4096x524288xbf16>
}

// Columns that no shared memory holds, and whose exponentials kernels of their own would store: a strip of 128 bytes.
// CHECK-LABEL: fuser.kernel @columns
// CHECK-SAME: schedule = #fuser_sched.streaming<threads_x = 8, threads_y = 32, vector = 8, unroll = 4>
fuser.kernel @columns(%x: tensor<65536x18432xbf16>) -> tensor<65536x18432xbf16> {
  %c = fuser.cast %x : tensor<65536x18432xbf16> to tensor<65536x18432xf32>
  %0 = fuser.exp %c : tensor<65536x18432xf32>
  %1 = fuser.sum %0 dims [0] : tensor<65536x18432xf32> -> tensor<18432xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<18432xf32> -> tensor<1x18432xf32>
  %3 = fuser.div %0, %2 : (tensor<65536x18432xf32>, tensor<1x18432xf32>) -> tensor<65536x18432xf32>
  %4 = fuser.cast %3 : tensor<65536x18432xf32> to tensor<65536x18432xbf16>
  fuser.return %4 : tensor<65536x18432xbf16>
}

// A row that a cluster holds, on devices that have them.
// CHECK-LABEL: fuser.kernel @cluster
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 8, vectors = 16, cluster = 8>
// OLD-LABEL: fuser.kernel @cluster
// OLD-SAME: schedule = #fuser_sched.streaming<
fuser.kernel @cluster(%x: tensor<4096x131072xbf16>) -> tensor<4096x131072xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x131072xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x131072xbf16>, tensor<4096x1xbf16>) -> tensor<4096x131072xbf16>
  fuser.return %2 : tensor<4096x131072xbf16>
}
