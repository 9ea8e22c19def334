// RUN: fuser-opt %s --fuser-choose-schedules="target=h200" | FileCheck %s
// Which kernels are streamed, and with which threads.

// A row that registers do not hold.
// CHECK-LABEL: fuser.kernel @long_rows
// CHECK-SAME: schedule = #fuser_sched.streaming<threads_x = 1024, vector = 8, unroll = 8>
fuser.kernel @long_rows(%x: tensor<4096x131072xbf16>) -> tensor<4096x131072xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x131072xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x131072xbf16>, tensor<4096x1xbf16>) -> tensor<4096x131072xbf16>
  fuser.return %2 : tensor<4096x131072xbf16>
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

// Columns: a strip of 128 bytes.
// CHECK-LABEL: fuser.kernel @columns
// CHECK-SAME: schedule = #fuser_sched.streaming<threads_x = 8, threads_y = 32, vector = 8, unroll = 4>
fuser.kernel @columns(%x: tensor<2048x73728xbf16>) -> tensor<2048x73728xbf16> {
  %0 = fuser.max %x dims [0] : tensor<2048x73728xbf16> -> tensor<73728xbf16>
  %1 = fuser.broadcast %0 dims [0] : tensor<73728xbf16> -> tensor<1x73728xbf16>
  %2 = fuser.sub %x, %1 : (tensor<2048x73728xbf16>, tensor<1x73728xbf16>) -> tensor<2048x73728xbf16>
  fuser.return %2 : tensor<2048x73728xbf16>
}
