// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="only=outer_persistent target=h200" | FileCheck %s
// Strips by the sectors that they store, and by those that they share with others.

// Three blocks with strips of 16 columns would share a multiprocessor, but store half of a sector of each row.
// CHECK-LABEL: fuser.kernel @stores_sectors
// CHECK-SAME: schedule = #fuser_sched.outer_persistent<rows = 64, columns = 4, vector = 8, unroll = 4, steps = 8, cluster = 8>
fuser.kernel @stores_sectors(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xi8> {
  %0 = fuser.max %x dims [0] : tensor<16384x4096xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xbf16> -> tensor<1x4096xbf16>
  %2 = fuser.sub %x, %1 : (tensor<16384x4096xbf16>, tensor<1x4096xbf16>) -> tensor<16384x4096xbf16>
  %3 = fuser.cast %2 : tensor<16384x4096xbf16> to tensor<16384x4096xi8>
  fuser.return %3 : tensor<16384x4096xi8>
}

// -----

// CHECK-LABEL: fuser.kernel @stores_wider_elements
// CHECK-SAME: schedule = #fuser_sched.outer_persistent<rows = 128, columns = 2, vector = 8, unroll = 4, steps = 4, cluster = 8>
fuser.kernel @stores_wider_elements(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = fuser.max %x dims [0] : tensor<16384x4096xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xbf16> -> tensor<1x4096xbf16>
  %2 = fuser.sub %x, %1 : (tensor<16384x4096xbf16>, tensor<1x4096xbf16>) -> tensor<16384x4096xbf16>
  fuser.return %2 : tensor<16384x4096xbf16>
}

// -----

// Of an output of one byte, strips of 32 columns are sectors.
// CHECK-LABEL: fuser.kernel @stores_whole_sectors
// CHECK-SAME: schedule = #fuser_sched.outer_persistent<vector = 4, unroll = 4, steps = 16, cluster = 8>
fuser.kernel @stores_whole_sectors(%x: tensor<16384x4096xbf16>) -> (tensor<1x4096xf32>, tensor<16384x4096xi8>) {
  %c = arith.constant 127.0 : f64
  %0 = fuser.abs %x : tensor<16384x4096xbf16>
  %1 = fuser.max %0 dims [0] : tensor<16384x4096xbf16> -> tensor<4096xbf16>
  %2 = fuser.broadcast %1 dims [0] : tensor<4096xbf16> -> tensor<1x4096xbf16>
  %3 = fuser.cast %2 : tensor<1x4096xbf16> to tensor<1x4096xf32>
  %4 = fuser.div %3, %c : (tensor<1x4096xf32>, f64) -> tensor<1x4096xf32>
  %5 = fuser.cast %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %6 = fuser.div %5, %4 : (tensor<16384x4096xf32>, tensor<1x4096xf32>) -> tensor<16384x4096xf32>
  %7 = fuser.round %6 : tensor<16384x4096xf32>
  %8 = fuser.minimum %7, %c : (tensor<16384x4096xf32>, f64) -> tensor<16384x4096xf32>
  %9 = fuser.maximum %8, %c : (tensor<16384x4096xf32>, f64) -> tensor<16384x4096xf32>
  %10 = fuser.cast %9 : tensor<16384x4096xf32> to tensor<16384x4096xi8>
  fuser.return %4, %10 : tensor<1x4096xf32>, tensor<16384x4096xi8>
}

// -----

// The last strips of 64 columns would have 12 of them.
// CHECK-LABEL: fuser.kernel @has_few_missing_columns
// CHECK-SAME: schedule = #fuser_sched.outer_persistent<rows = 64, columns = 4, vector = 8, unroll = 4, steps = 2, cluster = 4>
fuser.kernel @has_few_missing_columns(%x: tensor<2048x1808xbf16>) -> tensor<2048x1808xbf16> {
  %0 = fuser.max %x dims [0] : tensor<2048x1808xbf16> -> tensor<1808xbf16>
  %1 = fuser.broadcast %0 dims [0] : tensor<1808xbf16> -> tensor<1x1808xbf16>
  %2 = fuser.sub %x, %1 : (tensor<2048x1808xbf16>, tensor<1x1808xbf16>) -> tensor<2048x1808xbf16>
  fuser.return %2 : tensor<2048x1808xbf16>
}
