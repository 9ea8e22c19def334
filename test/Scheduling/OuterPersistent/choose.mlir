// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="only=outer_persistent target=h200" | FileCheck %s
// Strips by the sectors that they store, and those that take longer than kernels that read them again.

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

// Conversions keep the few threads of a multiprocessor busy for longer than memory.
// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [slow-strips]: expected strips that take less time than a kernel for each step, but those of 32 columns take 115 us, and such kernels 85}}
fuser.kernel @refuses_slow_strips(%x: tensor<16384x4096xbf16>) -> (tensor<1x4096xf32>, tensor<16384x4096xi8>) {
  %c = arith.constant 127.0 : f64
  %0 = fuser.abs %x : tensor<16384x4096xbf16>
  // expected-note @below {{here: fuser.max}}
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
