// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions="target=h200" --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s
// RUN: fuser-run %s --program=columns --device=host --target=h200 --no-run --dump-after=choose | FileCheck %s --check-prefix=COLUMNS
// RUN: fuser-run %s --program=all --device=host --target=h200 --no-run --dump-after=choose | FileCheck %s --check-prefix=ALL
// RUN: fuser-run %s --program=rows --device=host --target=h200 --no-run --dump-after=choose | FileCheck %s --check-prefix=ROWS
// RUN: fuser-run %s --program=channels --device=host --target=h200 --no-run --dump-after=choose | FileCheck %s --check-prefix=CHANNELS
// RUN: fuser-run %s --program=few_columns --device=host --target=h200 --no-run --dump-after=choose | FileCheck %s --check-prefix=FEW
// RUN: fuser-run %s --program=many_results --device=host --target=h200 --no-run --dump-after=choose | FileCheck %s --check-prefix=MANY
// Blocks that share a result may wait for each other: a grid has no more of them than are resident at once, 16384 threads on the
// host device. A GPU states no limit: the splits are those of its multiprocessors.

// 32 strips of columns: as many blocks as the host device keeps resident share none.
// CHECK-LABEL: fuser.kernel @columns
// CHECK-SAME: <pattern = outer, threads_x = 32, threads_y = 16, vector = 4, unroll = 4, splits = 8>
// COLUMNS: fuser.kernel @columns
// COLUMNS-SAME: <pattern = outer, threads_x = 32, threads_y = 16, vector = 4, unroll = 4>
fuser.fusion @columns(%x: tensor<16384x4096xbf16>) -> tensor<4096xf32> {
  %0 = fuser.cast %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = fuser.sum %0 dims [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  fuser.return %1 : tensor<4096xf32>
}

// One result: 32 blocks of 512 threads share it.
// CHECK-LABEL: fuser.kernel @all
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 4, splits = 528>
// ALL: fuser.kernel @all
// ALL-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 4, splits = 32>
fuser.fusion @all(%x: tensor<16384x4096xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [0, 1] : tensor<16384x4096xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// Eight rows: four blocks share each.
// CHECK-LABEL: fuser.kernel @rows
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 4, splits = 66>
// ROWS: fuser.kernel @rows
// ROWS-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 4, splits = 4>
fuser.fusion @rows(%x: tensor<8x1048576xf32>) -> tensor<8xf32> {
  %0 = fuser.sum %x dims [1] : tensor<8x1048576xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// Blocks that share no result share no elements of its rows.
// CHECK-LABEL: fuser.kernel @channels
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 8, unroll = 4, splits = 16, split_rows = true>
// CHANNELS: fuser.kernel @channels
// CHANNELS-SAME: <pattern = inner, threads_x = 512, vector = 8, unroll = 4>
fuser.fusion @channels(%x: tensor<4x32x300x500xbf16>) -> tensor<32xf32> {
  %0 = fuser.cast %x : tensor<4x32x300x500xbf16> to tensor<4x32x300x500xf32>
  %1 = fuser.sum %0 dims [0, 2, 3] : tensor<4x32x300x500xf32> -> tensor<32xf32>
  fuser.return %1 : tensor<32xf32>
}

// Four blocks are resident on both devices.
// CHECK-LABEL: fuser.kernel @few_columns
// CHECK-SAME: <pattern = outer, threads_x = 16, threads_y = 16, vector = 4, unroll = 4, splits = 4>
// FEW: fuser.kernel @few_columns
// FEW-SAME: <pattern = outer, threads_x = 16, threads_y = 16, vector = 4, unroll = 4, splits = 4>
fuser.fusion @few_columns(%x: tensor<256x48xf32>) -> tensor<48xf32> {
  %0 = fuser.sum %x dims [0] : tensor<256x48xf32> -> tensor<48xf32>
  fuser.return %0 : tensor<48xf32>
}

// More blocks than are resident at once, none of which waits, are no limit.
// CHECK-LABEL: fuser.kernel @many_results
// CHECK-SAME: <pattern = outer, threads_x = 32, threads_y = 16, vector = 4, unroll = 4>
// MANY: fuser.kernel @many_results
// MANY-SAME: <pattern = outer, threads_x = 32, threads_y = 16, vector = 4, unroll = 4>
fuser.fusion @many_results(%x: tensor<1024x32768xbf16>) -> tensor<32768xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<1024x32768xbf16> -> tensor<32768xbf16>
  fuser.return %0 : tensor<32768xbf16>
}
