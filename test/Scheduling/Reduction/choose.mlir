// RUN: fuser-opt %s --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s
// Patterns and their parameters.

// Long rows: whole steps that cover the row.
// CHECK-LABEL: fuser.kernel @inner
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 8, unroll = 5>
fuser.kernel @inner(%x: tensor<16384x20480xbf16>) -> tensor<16384xbf16> {
  %0 = fuser.sum %x dims [1] : tensor<16384x20480xbf16> -> tensor<16384xbf16>
  fuser.return %0 : tensor<16384xbf16>
}

// Short rows share a block.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 8, threads_y = 32, vector = 4, unroll = 2>
fuser.kernel @short_rows(%x: tensor<16384x64xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x64xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// Few long rows: blocks share one.
// CHECK-LABEL: fuser.kernel @few_rows
// CHECK-SAME: pattern = inner, threads_x = 512, {{.*}}splits = 66>
fuser.kernel @few_rows(%x: tensor<8x1048576xf32>) -> tensor<8xf32> {
  %0 = fuser.sum %x dims [1] : tensor<8x1048576xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// Everything: blocks share the result.
// CHECK-LABEL: fuser.kernel @full
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 4, unroll = 4, splits = 528>
fuser.kernel @full(%x: tensor<?x?xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [0, 1] : tensor<?x?xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// Deviations of two values: one vector of each tensor in flight, since eight means and sums of squares of each value have registers.
// CHECK-LABEL: fuser.kernel @two_deviations
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 8, splits = 4>
fuser.kernel @two_deviations(%x: tensor<64x262144xbf16>, %y: tensor<64x262144xbf16>) -> tensor<64xf32> {
  %0 = fuser.cast %x : tensor<64x262144xbf16> to tensor<64x262144xf32>
  %d = fuser.sub %x, %y : tensor<64x262144xbf16>
  %1 = fuser.cast %d : tensor<64x262144xbf16> to tensor<64x262144xf32>
  %2, %3 = fuser.var_mean %0 dims [1] correction 1 : tensor<64x262144xf32> -> tensor<64xf32>, tensor<64xf32>
  %4, %5 = fuser.var_mean %1 dims [1] correction 1 : tensor<64x262144xf32> -> tensor<64xf32>, tensor<64xf32>
  %6 = fuser.div %2, %4 : tensor<64xf32>
  fuser.return %6 : tensor<64xf32>
}

// Of several tensors, fewer vectors of each in flight, and two blocks of a multiprocessor, which have the registers for them.
// CHECK-LABEL: fuser.kernel @four_tensors
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 4, unroll = 2, splits = 264>
fuser.kernel @four_tensors(%x: tensor<8192x8192xf32>, %y: tensor<8192x8192xf32>, %z: tensor<8192x8192xf32>, %w: tensor<8192x8192xf32>) -> tensor<f32> {
  %0 = fuser.mul %x, %y : tensor<8192x8192xf32>
  %1 = fuser.mul %z, %w : tensor<8192x8192xf32>
  %2 = fuser.sub %0, %1 : tensor<8192x8192xf32>
  %3 = fuser.sum %2 dims [0, 1] : tensor<8192x8192xf32> -> tensor<f32>
  fuser.return %3 : tensor<f32>
}

// Columns: lanes along them, one wave of blocks.
// CHECK-LABEL: fuser.kernel @outer
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = {{[0-9]+}}, threads_y = {{[0-9]+}}, vector = 8, unroll = 4, splits = {{[0-9]+}}>
fuser.kernel @outer(%x: tensor<16384x20480xbf16>) -> tensor<20480xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<16384x20480xbf16> -> tensor<20480xbf16>
  fuser.return %0 : tensor<20480xbf16>
}

// Which dimension is fastest decides: the same sum of a transposed input is inner.
// CHECK-LABEL: fuser.kernel @transposed
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner
fuser.kernel @transposed(%x: tensor<?x?xf32>) -> tensor<?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.sum %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// Small blocks: more of them share a result, until as many threads are resident.
// CHECK-LABEL: fuser.kernel @small_blocks
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 64, vector = 8, unroll = 7, splits = 8>
fuser.kernel @small_blocks(%x: tensor<128x256x3136xbf16>) -> tensor<256xbf16> {
  %0 = fuser.sum %x dims [0, 2] : tensor<128x256x3136xbf16> -> tensor<256xbf16>
  fuser.return %0 : tensor<256xbf16>
}

// Columns that a part of a warp covers.
// CHECK-LABEL: fuser.kernel @narrow_columns
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 1, threads_y = 512, vector = 8, unroll = 4, splits = 264>
fuser.kernel @narrow_columns(%x: tensor<4000000x8xbf16>) -> tensor<8xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<4000000x8xbf16> -> tensor<8xbf16>
  fuser.return %0 : tensor<8xbf16>
}

// 125 vectors of columns are one strip; strips of two elements of a thread would not share sums, but read too little at once.
// CHECK-LABEL: fuser.kernel @one_strip
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 125, threads_y = 4, vector = 4, unroll = 8, splits = 5>
fuser.kernel @one_strip(%x: tensor<100x3000x500xbf16>) -> tensor<100x500xbf16> {
  %0 = fuser.sum %x dims [1] : tensor<100x3000x500xbf16> -> tensor<100x500xbf16>
  fuser.return %0 : tensor<100x500xbf16>
}

// Single elements: more threads.
// CHECK-LABEL: fuser.kernel @odd_columns
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 97, threads_y = 8, unroll = 8, splits = 264>
fuser.kernel @odd_columns(%x: tensor<1000003x97xbf16>) -> tensor<97xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<1000003x97xbf16> -> tensor<97xbf16>
  fuser.return %0 : tensor<97xbf16>
}

// 100 rows of many columns: with 16 rows of threads, 28 of the 128 rows of two steps would not exist.
// CHECK-LABEL: fuser.kernel @hundred_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 4, vector = 8, unroll = 4>
fuser.kernel @hundred_rows(%x: tensor<100x1000000xbf16>) -> tensor<1000000xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<100x1000000xbf16> -> tensor<1000000xbf16>
  fuser.return %0 : tensor<1000000xbf16>
}

// Limited by arithmetic: 96 strips in 44 parts are 32 blocks of 128 threads for each multiprocessor.
// CHECK-LABEL: fuser.kernel @many_operations
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 16, threads_y = 8, vector = 8, unroll = 4, splits = 44>
fuser.kernel @many_operations(%x: tensor<16384x12288xbf16>) -> tensor<12288xbf16> {
  %0 = fuser.cast %x : tensor<16384x12288xbf16> to tensor<16384x12288xf32>
  %1 = fuser.tanh %0 : tensor<16384x12288xf32>
  %2 = fuser.tanh %1 : tensor<16384x12288xf32>
  %3 = fuser.tanh %2 : tensor<16384x12288xf32>
  %4 = fuser.tanh %3 : tensor<16384x12288xf32>
  %5 = fuser.sum %4 dims [0] : tensor<16384x12288xf32> -> tensor<12288xf32>
  %6 = fuser.cast %5 : tensor<12288xf32> to tensor<12288xbf16>
  fuser.return %6 : tensor<12288xbf16>
}

// Few rows of many columns: narrow vectors fill the device, and no block shares a column.
// CHECK-LABEL: fuser.kernel @narrow_strips
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 16, vector = 4, unroll = 4>
fuser.kernel @narrow_strips(%x: tensor<1024x32768xbf16>) -> tensor<32768xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<1024x32768xbf16> -> tensor<32768xbf16>
  fuser.return %0 : tensor<32768xbf16>
}

// 320 strips would be two or three of each multiprocessor; 640 of half the lanes and threads are four or five.
// CHECK-LABEL: fuser.kernel @half_strips
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 16, threads_y = 16, vector = 2, unroll = 4>
fuser.kernel @half_strips(%x: tensor<64x1000x300xf32>) -> tensor<64x300xf32> {
  %0, %1 = fuser.var_mean %x dims [1] correction 1 : tensor<64x1000x300xf32> -> tensor<64x300xf32>, tensor<64x300xf32>
  fuser.return %0 : tensor<64x300xf32>
}

// More rows: wide vectors, and blocks share columns.
// CHECK-LABEL: fuser.kernel @wide_strips
// CHECK-SAME: pattern = outer, threads_x = 32, threads_y = 16, vector = 8, unroll = 4, splits = 2>
fuser.kernel @wide_strips(%x: tensor<16384x32768xbf16>) -> tensor<32768xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<16384x32768xbf16> -> tensor<32768xbf16>
  fuser.return %0 : tensor<32768xbf16>
}

// Threads exchange a maximum and where it is: a warp has a row where there are many.
// CHECK-LABEL: fuser.kernel @index_of_maximum
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 32, threads_y = 8, vector = 2, unroll = 4>
fuser.kernel @index_of_maximum(%x: tensor<30000x4096xbf16>, %i: tensor<30000x4096xi64>) -> tensor<30000xi64> {
  %0, %1 = fuser.max_with_index %x, %i dims [1] : tensor<30000x4096xbf16>, tensor<30000x4096xi64> -> tensor<30000xbf16>, tensor<30000xi64>
  fuser.return %1 : tensor<30000xi64>
}

// Of fewer rows, as few threads as fill the device with a few waves.
// CHECK-LABEL: fuser.kernel @moments_of_fewer_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 256, vector = 4, unroll = 4>
fuser.kernel @moments_of_fewer_rows(%x: tensor<4096x32768xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %v, %m = fuser.var_mean %x dims [1] correction 0 : tensor<4096x32768xf32> -> tensor<4096xf32>, tensor<4096xf32>
  fuser.return %v, %m : tensor<4096xf32>, tensor<4096xf32>
}

// Of many rows that 512 threads would read with one vector each, two share a block.
// CHECK-LABEL: fuser.kernel @one_vector_of_a_thread
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_y = 2, vector = 4, unroll = 4>
fuser.kernel @one_vector_of_a_thread(%x: tensor<50000x2000xf32>) -> tensor<50000xf32> {
  %0 = fuser.sum %x dims [1] : tensor<50000x2000xf32> -> tensor<50000xf32>
  fuser.return %0 : tensor<50000xf32>
}

// Of fewer rows, all of them.
// CHECK-LABEL: fuser.kernel @one_vector_of_few_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 4>
fuser.kernel @one_vector_of_few_rows(%x: tensor<1000x2000xf32>) -> tensor<1000xf32> {
  %0 = fuser.sum %x dims [1] : tensor<1000x2000xf32> -> tensor<1000xf32>
  fuser.return %0 : tensor<1000xf32>
}

// Where threads exchange several values of each of many rows, few of them share one.
// CHECK-LABEL: fuser.kernel @indices_of_odd_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 8, threads_y = 32, unroll = 10>
fuser.kernel @indices_of_odd_rows(%x: tensor<500001x129xbf16>, %i: tensor<500001x129xi64>) -> tensor<500001xi64> {
  %max, %where = fuser.max_with_index %x, %i dims [1] : tensor<500001x129xbf16>, tensor<500001x129xi64> -> tensor<500001xbf16>, tensor<500001xi64>
  fuser.return %where : tensor<500001xi64>
}

// Of fewer rows, enough to fill the device.
// CHECK-LABEL: fuser.kernel @indices_of_fewer_odd_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 32, threads_y = 8, unroll = 5>
fuser.kernel @indices_of_fewer_odd_rows(%x: tensor<50001x129xbf16>, %i: tensor<50001x129xi64>) -> tensor<50001xi64> {
  %max, %where = fuser.max_with_index %x, %i dims [1] : tensor<50001x129xbf16>, tensor<50001x129xi64> -> tensor<50001xbf16>, tensor<50001xi64>
  fuser.return %where : tensor<50001xi64>
}

// Few rows of many columns: each thread has all rows of its columns, and exchanges nothing.
// CHECK-LABEL: fuser.kernel @two_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, vector = 8, unroll = 2>
fuser.kernel @two_rows(%x: tensor<20000x2x2048xbf16>) -> tensor<20000x2048xbf16> {
  %0 = fuser.sum %x dims [1] : tensor<20000x2x2048xbf16> -> tensor<20000x2048xbf16>
  fuser.return %0 : tensor<20000x2048xbf16>
}

// Sums of looked-up rows: the columns of the table are contiguous, whatever the order of the indices is. Steps are equal.
// CHECK-LABEL: fuser.kernel @sums_of_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, vector = 8, unroll = 5>
fuser.kernel @sums_of_rows(%w: tensor<100000x128xbf16>, %k: tensor<20000x20xi64>) -> tensor<20000x128xbf16> {
  %0 = fuser.index_select %w, %k dim 0 : tensor<100000x128xbf16>, tensor<20000x20xi64> -> tensor<20000x20x128xbf16>
  %1 = fuser.sum %0 dims [1] : tensor<20000x20x128xbf16> -> tensor<20000x128xbf16>
  fuser.return %1 : tensor<20000x128xbf16>
}

// How often each number occurs: the values are read along their dimension, which the numbers lack.
// CHECK-LABEL: fuser.kernel @counts
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner,
fuser.kernel @counts(%k: tensor<65536xi64>, %n: tensor<64xi64>) -> tensor<64xf32> {
  %0 = fuser.broadcast %k dims [1] : tensor<65536xi64> -> tensor<65536x1xi64>
  %1 = fuser.broadcast %n dims [0] : tensor<64xi64> -> tensor<1x64xi64>
  %2 = fuser.eq %0, %1 : (tensor<65536x1xi64>, tensor<1x64xi64>) -> tensor<65536x64xi1>
  %3 = fuser.cast %2 : tensor<65536x64xi1> to tensor<65536x64xf32>
  %4 = fuser.sum %3 dims [0] : tensor<65536x64xf32> -> tensor<64xf32>
  fuser.return %4 : tensor<64xf32>
}

// The distances of all pairs: results are stored along their own fastest dimension, which no argument has with another one.
// CHECK-LABEL: fuser.kernel @pairs
// CHECK-SAME: pattern = inner
fuser.kernel @pairs(%x: tensor<400x32xf32>, %y: tensor<100x32xf32>) -> tensor<400x100xf32> {
  %0 = fuser.broadcast %x dims [1] : tensor<400x32xf32> -> tensor<400x1x32xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<100x32xf32> -> tensor<1x100x32xf32>
  %2 = fuser.sub %0, %1 : (tensor<400x1x32xf32>, tensor<1x100x32xf32>) -> tensor<400x100x32xf32>
  %3 = fuser.mul %2, %2 : tensor<400x100x32xf32>
  %4 = fuser.sum %3 dims [2] : tensor<400x100x32xf32> -> tensor<400x100xf32>
  fuser.return %4 : tensor<400x100xf32>
}

// Adjacent rows that read the same elements of most arguments share a block.
// CHECK-LABEL: fuser.kernel @channels
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner, threads_y = 4, vector = 4, unroll = 2, splits = 8>
fuser.kernel @channels(%x: tensor<32x4x65536xf32>, %a: tensor<32x1x65536xf32>, %b: tensor<32x1x65536xf32>) -> tensor<32x4xf32> {
  %0 = fuser.mul %a, %b : tensor<32x1x65536xf32>
  %1 = fuser.div %x, %0 : (tensor<32x4x65536xf32>, tensor<32x1x65536xf32>) -> tensor<32x4x65536xf32>
  %2 = fuser.sum %1 dims [2] : tensor<32x4x65536xf32> -> tensor<32x4xf32>
  fuser.return %2 : tensor<32x4xf32>
}

// Not for one argument of many, nor of 9 rows.
// CHECK-LABEL: fuser.kernel @weighted_channels
// CHECK-SAME: pattern = inner, threads_x = 512, vector = 4, unroll = 4
fuser.kernel @weighted_channels(%x: tensor<32x4x65536xf32>, %a: tensor<32x1x65536xf32>) -> tensor<32x4xf32> {
  %0 = fuser.mul %x, %a : (tensor<32x4x65536xf32>, tensor<32x1x65536xf32>) -> tensor<32x4x65536xf32>
  %1 = fuser.sum %0 dims [2] : tensor<32x4x65536xf32> -> tensor<32x4xf32>
  fuser.return %1 : tensor<32x4xf32>
}

// CHECK-LABEL: fuser.kernel @nine_channels
// CHECK-SAME: pattern = inner, threads_x = 512, vector = 4, unroll = 4
fuser.kernel @nine_channels(%x: tensor<32x9x65536xf32>, %a: tensor<32x1x65536xf32>, %b: tensor<32x1x65536xf32>) -> tensor<32x9xf32> {
  %0 = fuser.mul %a, %b : tensor<32x1x65536xf32>
  %1 = fuser.div %x, %0 : (tensor<32x9x65536xf32>, tensor<32x1x65536xf32>) -> tensor<32x9x65536xf32>
  %2 = fuser.sum %1 dims [2] : tensor<32x9x65536xf32> -> tensor<32x9xf32>
  fuser.return %2 : tensor<32x9xf32>
}

// Bytes in flight are those that are read: results may be wider.
// CHECK-LABEL: fuser.kernel @wide_results
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 16, vector = 2, unroll = 8>
fuser.kernel @wide_results(%x: tensor<1024x25088xbf16>) -> tensor<25088xf32> {
  %0 = fuser.cast %x : tensor<1024x25088xbf16> to tensor<1024x25088xf32>
  %1 = fuser.sum %0 dims [0] : tensor<1024x25088xf32> -> tensor<25088xf32>
  fuser.return %1 : tensor<25088xf32>
}

// An outer product that is reduced has more elements than what it is of: bounds of its sizes, which leave room for larger calls,
// let 32 bits count them.
// CHECK-LABEL: fuser.kernel @outer_product
// CHECK-SAME: #fuser.fact<at_most 0[0], 48000>, #fuser.fact<at_most 1[0], 16000>
fuser.kernel @outer_product(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<f32> attributes {fuser_sched.sizes = [array<i64: 3000>, array<i64: 1000>]} {
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.abs %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [0, 1] : tensor<?x?xf32> -> tensor<f32>
  fuser.return %4 : tensor<f32>
}

// CHECK-LABEL: fuser.kernel @large_outer_product
// CHECK-NOT: at_most 0[0]
// CHECK: fuser.return
fuser.kernel @large_outer_product(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<f32> attributes {fuser_sched.sizes = [array<i64: 100000>, array<i64: 100000>]} {
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.abs %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [0, 1] : tensor<?x?xf32> -> tensor<f32>
  fuser.return %4 : tensor<f32>
}
