// RUN: fuser-opt %s --fuser-choose-schedules="only=scan target=h200" | FileCheck %s
// Patterns and their parameters.

// A row is one tile of 64 bytes per thread; its length becomes a fact.
// CHECK-LABEL: fuser.kernel @inner
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 512, vector = 4, unroll = 4>
fuser.kernel @inner(%x: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<8192x8192xf32> -> tensor<8192x8192xf32>
  fuser.return %0 : tensor<8192x8192xf32>
}

// Tiles that cover the row with few idle threads.
// CHECK-LABEL: fuser.kernel @two_tiles
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 320, vector = 4, unroll = 4>
fuser.kernel @two_tiles(%x: tensor<8192x10000xf32>) -> tensor<8192x10000xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<8192x10000xf32> -> tensor<8192x10000xf32>
  fuser.return %0 : tensor<8192x10000xf32>
}

// A warp per row, without barriers.
// CHECK-LABEL: fuser.kernel @warp
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, vector = 8, unroll = 2>
fuser.kernel @warp(%x: tensor<65536x512xbf16>) -> tensor<65536x512xbf16> {
  %0 = fuser.cumsum %x dim 1 : tensor<65536x512xbf16> -> tensor<65536x512xbf16>
  fuser.return %0 : tensor<65536x512xbf16>
}

// Several short rows per warp.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 8, threads_y = 16, vector = 4>
fuser.kernel @short_rows(%x: tensor<65536x32xf32>) -> tensor<65536x32xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<65536x32xf32> -> tensor<65536x32xf32>
  fuser.return %0 : tensor<65536x32xf32>
}

// One row has no threads of other rows: its reader lacks the dimension of size 1, and shares no loop over it.
// CHECK-LABEL: fuser.kernel @one_short_row
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 32, vector = 4, unroll = 2>
fuser.kernel @one_short_row(%x: tensor<200x1xf32>) -> tensor<200xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<200x1xf32> -> tensor<200x1xf32>
  %1 = fuser.squeeze %0 dims [1] : tensor<200x1xf32> -> tensor<200xf32>
  fuser.return %1 : tensor<200xf32>
}

// A row of odd length passes through shared memory: each is one thread's.
// CHECK-LABEL: fuser.kernel @odd_short_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 1, threads_y = 128, unroll = 33, flat = 4>
fuser.kernel @odd_short_rows(%x: tensor<65536x33xf32>) -> tensor<65536x33xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<65536x33xf32> -> tensor<65536x33xf32>
  fuser.return %0 : tensor<65536x33xf32>
}

// Longer ones are a warp's, with runs of 33 elements, which begin in different banks.
// CHECK-LABEL: fuser.kernel @odd_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, unroll = 33, flat = 4>
fuser.kernel @odd_rows(%x: tensor<65536x999xbf16>) -> tensor<65536x999xf32> {
  %0 = fuser.cast %x : tensor<65536x999xbf16> to tensor<65536x999xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<65536x999xf32> -> tensor<65536x999xf32>
  fuser.return %1 : tensor<65536x999xf32>
}

// Vectors of two bf16 make runs of an odd number of words.
// CHECK-LABEL: fuser.kernel @even_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, vector = 2, unroll = 17, flat = 8>
fuser.kernel @even_rows(%x: tensor<65536x1002xbf16>) -> tensor<65536x1002xbf16> {
  %0 = fuser.cumsum %x dim 1 : tensor<65536x1002xbf16> -> tensor<65536x1002xbf16>
  fuser.return %0 : tensor<65536x1002xbf16>
}

// Not where vectors are at least half of those across the ends of rows.
// CHECK-LABEL: fuser.kernel @half_vectors
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, vector = 4, unroll = 8>
fuser.kernel @half_vectors(%x: tensor<65536x1004xbf16>) -> tensor<65536x1004xbf16> {
  %0 = fuser.cumsum %x dim 1 : tensor<65536x1004xbf16> -> tensor<65536x1004xbf16>
  fuser.return %0 : tensor<65536x1004xbf16>
}

// Not few rows, and not rows that are apart in memory. A warp has a row of narrow vectors.
// CHECK-LABEL: fuser.kernel @few_odd_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, unroll = 32>
fuser.kernel @few_odd_rows(%x: tensor<1500x999xbf16>) -> tensor<1500x999xf32> {
  %0 = fuser.cast %x : tensor<1500x999xbf16> to tensor<1500x999xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<1500x999xf32> -> tensor<1500x999xf32>
  fuser.return %1 : tensor<1500x999xf32>
}
// CHECK-LABEL: fuser.kernel @odd_parts
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 8, threads_y = 16, unroll = 5>
fuser.kernel @odd_parts(%x: tensor<65536x33xf32>) -> tensor<65536x33xf32> attributes {
    arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.cumsum %x dim 1 : tensor<65536x33xf32> -> tensor<65536x33xf32>
  fuser.return %0 : tensor<65536x33xf32>
}

// A row of odd length that is too long for runs: more vectors, which are narrower.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 512, unroll = 8>
fuser.kernel @odd(%x: tensor<8192x4095xf32>) -> tensor<8192x4095xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<8192x4095xf32> -> tensor<8192x4095xf32>
  fuser.return %0 : tensor<8192x4095xf32>
}

// Enough columns: a thread walks along each.
// CHECK-LABEL: fuser.kernel @columns
// CHECK-SAME: #fuser_sched.scan<pattern = outer, vector = 4, unroll = 8>
fuser.kernel @columns(%x: tensor<64x1024x16384xf32>) -> tensor<64x1024x16384xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<64x1024x16384xf32> -> tensor<64x1024x16384xf32>
  fuser.return %0 : tensor<64x1024x16384xf32>
}

// Few columns: several threads share one.
// CHECK-LABEL: fuser.kernel @few_columns
// CHECK-SAME: #fuser_sched.scan<pattern = outer, threads_x = 8, threads_y = 16, vector = 4, unroll = 8>
fuser.kernel @few_columns(%x: tensor<8192x40960xf32>) -> tensor<8192x40960xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<8192x40960xf32> -> tensor<8192x40960xf32>
  fuser.return %0 : tensor<8192x40960xf32>
}

// Too few columns for that: chained tiles.
// CHECK-LABEL: fuser.kernel @tall
// CHECK-SAME: #fuser_sched.scan<pattern = outer, threads_x = 2, threads_y = 64, vector = 4, unroll = 8, chained = true>
fuser.kernel @tall(%x: tensor<1000000x8xf32>) -> tensor<1000000x8xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<1000000x8xf32> -> tensor<1000000x8xf32>
  fuser.return %0 : tensor<1000000x8xf32>
}

// Few long rows: chained tiles.
// CHECK-LABEL: fuser.kernel @long_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 512, vector = 4, unroll = 4, chained = true>
fuser.kernel @long_rows(%x: tensor<64x4194304xf32>) -> tensor<64x4194304xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<64x4194304xf32> -> tensor<64x4194304xf32>
  fuser.return %0 : tensor<64x4194304xf32>
}

// A row of one tile is not chained, however few there are.
// CHECK-LABEL: fuser.kernel @one_row
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 256, vector = 4, unroll = 4>
fuser.kernel @one_row(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<4096xf32> -> tensor<4096xf32>
  fuser.return %0 : tensor<4096xf32>
}

// Unknown sizes: long rows.
// CHECK-LABEL: fuser.kernel @unknown
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 512, vector = 4, unroll = 4>
fuser.kernel @unknown(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// Rows that are reduced as well are one tile of a block.
// CHECK-LABEL: fuser.kernel @reduced_rows
// CHECK-SAME: #fuser_sched.scan<pattern = inner, threads_x = 160, vector = 4, unroll = 4>
fuser.kernel @reduced_rows(%x: tensor<16384x2500xf32>) -> tensor<16384xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<16384x2500xf32> -> tensor<16384x2500xf32>
  %1 = fuser.max %0 dims [1] : tensor<16384x2500xf32> -> tensor<16384xf32>
  fuser.return %1 : tensor<16384xf32>
}

// Vectors of columns are as wide as registers allow of what is scanned, not of what is stored.
// CHECK-LABEL: fuser.kernel @counts_of_booleans
// CHECK-SAME: #fuser_sched.scan<pattern = outer, {{.*}}vector = 4
fuser.kernel @counts_of_booleans(%x: tensor<65536x32xi1>) -> tensor<65536x32xi1> {
  %c = arith.constant 2500 : i64
  %0 = fuser.cast %x : tensor<65536x32xi1> to tensor<65536x32xi64>
  %1 = fuser.cumsum %0 dim 0 : tensor<65536x32xi64> -> tensor<65536x32xi64>
  %2 = fuser.le %1, %c : (tensor<65536x32xi64>, i64) -> tensor<65536x32xi1>
  fuser.return %2 : tensor<65536x32xi1>
}
