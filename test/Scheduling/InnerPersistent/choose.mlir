// RUN: fuser-opt %s --fuser-choose-schedules="only=inner_persistent target=h200" | FileCheck %s
// Threads and vectors by the bytes of a row.

// Sizes that nobody knows: rows of up to 32 KB, guarded.
// CHECK-LABEL: fuser.kernel @unknown
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<at_most 0[1], 16384>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
fuser.kernel @unknown(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// 32 KB.
// CHECK-LABEL: fuser.kernel @large
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 8, vectors = 8>
fuser.kernel @large(%x: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = fuser.max %x dims [1] : tensor<16384x16384xbf16> -> tensor<16384xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<16384xbf16> -> tensor<16384x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<16384x16384xbf16>, tensor<16384x1xbf16>) -> tensor<16384x16384xbf16>
  fuser.return %2 : tensor<16384x16384xbf16>
}

// 128 KB: the largest. 512 threads have registers for 16 packed vectors and what is computed of them.
// CHECK-LABEL: fuser.kernel @largest
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 16>
fuser.kernel @largest(%x: tensor<8x65536xbf16>) -> tensor<8x65536xbf16> {
  %0 = fuser.max %x dims [1] : tensor<8x65536xbf16> -> tensor<8xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xbf16> -> tensor<8x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<8x65536xbf16>, tensor<8x1xbf16>) -> tensor<8x65536xbf16>
  fuser.return %2 : tensor<8x65536xbf16>
}

// The same of f32: 1024 threads keep elements that need no more registers to compute with.
// CHECK-LABEL: fuser.kernel @largest_f32
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 1024, vector = 4, vectors = 8>
fuser.kernel @largest_f32(%x: tensor<8x32768xf32>) -> tensor<8x32768xf32> {
  %0 = fuser.max %x dims [1] : tensor<8x32768xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<8x32768xf32>, tensor<8x1xf32>) -> tensor<8x32768xf32>
  fuser.return %2 : tensor<8x32768xf32>
}

// 256 KB: eight blocks, whose threads keep 256 bytes each.
// CHECK-LABEL: fuser.kernel @cluster
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 8, vectors = 16, cluster = 8>
fuser.kernel @cluster(%x: tensor<64x131072xbf16>) -> tensor<64x131072xbf16> {
  %0 = fuser.max %x dims [1] : tensor<64x131072xbf16> -> tensor<64xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<64xbf16> -> tensor<64x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<64x131072xbf16>, tensor<64x1xbf16>) -> tensor<64x131072xbf16>
  fuser.return %2 : tensor<64x131072xbf16>
}

// 512 KB: the longest row of a cluster.
// CHECK-LABEL: fuser.kernel @largest_cluster
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 4, vectors = 16, cluster = 8>
fuser.kernel @largest_cluster(%x: tensor<8x131072xf32>) -> tensor<8x131072xf32> {
  %0 = fuser.max %x dims [1] : tensor<8x131072xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<8x131072xf32>, tensor<8x1xf32>) -> tensor<8x131072xf32>
  fuser.return %2 : tensor<8x131072xf32>
}

// An odd row: 4-byte vectors that barely cover it.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 2, vectors = 10>
fuser.kernel @odd(%x: tensor<4096x5002xbf16>) -> tensor<4096x5002xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x5002xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x5002xbf16>, tensor<4096x1xbf16>) -> tensor<4096x5002xbf16>
  fuser.return %2 : tensor<4096x5002xbf16>
}

// Short rows: a warp each, which is a block if its threads have four vectors.
// CHECK-LABEL: fuser.kernel @short
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 4>
fuser.kernel @short(%x: tensor<4096x512xf32>) -> tensor<4096x512xf32> {
  %0 = fuser.max %x dims [1] : tensor<4096x512xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<4096x512xf32>, tensor<4096x1xf32>) -> tensor<4096x512xf32>
  fuser.return %2 : tensor<4096x512xf32>
}

// Tiny rows: part of a warp each.
// CHECK-LABEL: fuser.kernel @tiny
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 8, rows = 16>
fuser.kernel @tiny(%x: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = fuser.max %x dims [1] : tensor<3x7xf32> -> tensor<3xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<3xf32> -> tensor<3x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<3x7xf32>, tensor<3x1xf32>) -> tensor<3x7xf32>
  fuser.return %2 : tensor<3x7xf32>
}

// A length that is known becomes a fact: code for one length; the number of rows stays free.
// CHECK-LABEL: fuser.kernel @known_length
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 2>, #fuser.fact<at_most 0[1], 5002>, #fuser.fact<at_least 0[1], 5002>, #fuser.fact<aligned 0, 4>, #fuser.fact<aligned 1, 4>]
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 2, vectors = 10>
fuser.kernel @known_length(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    fuser_sched.sizes = [array<i64: -1, 5002>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// Facts that bound the length from both sides: code for all lengths of the range, whatever the expected one.
// CHECK-LABEL: fuser.kernel @range
// CHECK-SAME: facts = [#fuser.fact<at_least 0[1], 1024>, #fuser.fact<at_most 0[1], 4096>, #fuser.fact<divisible 0[1], 2>, #fuser.fact<aligned 0, 4>, #fuser.fact<aligned 1, 4>]
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 2, vectors = 16>
fuser.kernel @range(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<at_least 0[1], 1024>, #fuser.fact<at_most 0[1], 4096>], fuser_sched.sizes = [array<i64: -1, 1502>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// The longest rows of the range do not fit: a bound for those that do.
// CHECK-LABEL: fuser.kernel @range_too_long
// CHECK-SAME: #fuser.fact<at_most 0[1], 65536>
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 16>
fuser.kernel @range_too_long(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<at_least 0[1], 1024>, #fuser.fact<at_most 0[1], 131072>], fuser_sched.sizes = [array<i64: -1, 16384>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// A row is not empty and not too long: no range, so that the expected length counts.
// CHECK-LABEL: fuser.kernel @no_range
// CHECK-SAME: #fuser.fact<at_most 0[1], 512>, #fuser.fact<at_least 0[1], 512>
fuser.kernel @no_range(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<at_least 0[1], 1>, #fuser.fact<at_most 0[1], 4096>], fuser_sched.sizes = [array<i64: -1, 512>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// Rows of two dimensions, one of them in a range: the other one has its expected size.
// CHECK-LABEL: fuser.kernel @range_of_two
// CHECK-SAME: #fuser.fact<at_most 0[2], 12>, #fuser.fact<at_least 0[2], 12>
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 4, vectors = 3>
fuser.kernel @range_of_two(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> attributes {
    facts = [#fuser.fact<at_least 0[1], 64>, #fuser.fact<at_most 0[1], 128>], fuser_sched.sizes = [array<i64: -1, 100, 12>]} {
  %0 = fuser.max %x dims [1, 2] : tensor<?x?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1, 2] : tensor<?xf32> -> tensor<?x1x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?x?xf32>, tensor<?x1x1xf32>) -> tensor<?x?x?xf32>
  fuser.return %2 : tensor<?x?x?xf32>
}

// Parts of 128 elements: 16 threads have one vector of each.
// CHECK-LABEL: fuser.kernel @parts
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 8, vectors = 4, part = 16>
fuser.kernel @parts(%x: tensor<?x4096xbf16>) -> tensor<?x32x128xbf16> {
  %0 = fuser.max %x dims [1] : tensor<?x4096xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xbf16>, tensor<?x1xbf16>) -> tensor<?x4096xbf16>
  %3 = fuser.reshape %2 : tensor<?x4096xbf16> -> tensor<?x32x128xbf16>
  %4 = fuser.max %3 dims [2] : tensor<?x32x128xbf16> -> tensor<?x32xbf16>
  %5 = fuser.broadcast %4 dims [2] : tensor<?x32xbf16> -> tensor<?x32x1xbf16>
  %6 = fuser.div %3, %5 : (tensor<?x32x128xbf16>, tensor<?x32x1xbf16>) -> tensor<?x32x128xbf16>
  fuser.return %6 : tensor<?x32x128xbf16>
}

// Six vectors of a part are on eight threads, so that shuffles combine them; several rows share a block.
// CHECK-LABEL: fuser.kernel @short_parts
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 16, vector = 8, rows = 8, part = 8>
fuser.kernel @short_parts(%x: tensor<64x2x48xbf16>) -> tensor<64x2x48xbf16> {
  %0 = fuser.max %x dims [1, 2] : tensor<64x2x48xbf16> -> tensor<64xbf16>
  %1 = fuser.broadcast %0 dims [1, 2] : tensor<64xbf16> -> tensor<64x1x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<64x2x48xbf16>, tensor<64x1x1xbf16>) -> tensor<64x2x48xbf16>
  %3 = fuser.max %2 dims [2] : tensor<64x2x48xbf16> -> tensor<64x2xbf16>
  %4 = fuser.broadcast %3 dims [2] : tensor<64x2xbf16> -> tensor<64x2x1xbf16>
  %5 = fuser.div %2, %4 : (tensor<64x2x48xbf16>, tensor<64x2x1xbf16>) -> tensor<64x2x48xbf16>
  fuser.return %5 : tensor<64x2x48xbf16>
}

// A size that a reshape divides is bounded by a fact about the whole.
// CHECK-LABEL: fuser.kernel @parts_of_unknown_rows
// CHECK-SAME: #fuser.fact<at_most 0[1], 16384>
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4, part = 16>
fuser.kernel @parts_of_unknown_rows(%x: tensor<?x?xbf16>) -> tensor<?x?x128xbf16> {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  %3 = fuser.reshape %2 groups [1, 1] to [1, 2] : tensor<?x?xbf16> -> tensor<?x?x128xbf16>
  %4 = fuser.max %3 dims [2] : tensor<?x?x128xbf16> -> tensor<?x?xbf16>
  %5 = fuser.broadcast %4 dims [2] : tensor<?x?xbf16> -> tensor<?x?x1xbf16>
  %6 = fuser.div %3, %5 : (tensor<?x?x128xbf16>, tensor<?x?x1xbf16>) -> tensor<?x?x128xbf16>
  fuser.return %6 : tensor<?x?x128xbf16>
}

// A tile: 8 threads have one vector of each of its 32 runs.
// CHECK-LABEL: fuser.kernel @tiles
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 64, vector = 8, vectors = 4, part = 8>
fuser.kernel @tiles(%x: tensor<?x32x16x64xbf16>) -> tensor<?x32x16x64xbf16> {
  %0 = fuser.max %x dims [1, 3] : tensor<?x32x16x64xbf16> -> tensor<?x16xbf16>
  %1 = fuser.broadcast %0 dims [1, 3] : tensor<?x16xbf16> -> tensor<?x1x16x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x32x16x64xbf16>, tensor<?x1x16x1xbf16>) -> tensor<?x32x16x64xbf16>
  fuser.return %2 : tensor<?x32x16x64xbf16>
}

// Long rows that are reduced twice: as much as a thread can keep, in few threads, so that two blocks share a multiprocessor.
// CHECK-LABEL: fuser.kernel @long_rows
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 8, vectors = 16>
fuser.kernel @long_rows(%x: tensor<4096x32768xbf16>) -> tensor<4096x32768xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x32768xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x32768xbf16>, tensor<4096x1xbf16>) -> tensor<4096x32768xbf16>
  %3 = fuser.sum %2 dims [1] : tensor<4096x32768xbf16> -> tensor<4096xbf16>
  %4 = fuser.broadcast %3 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %5 = fuser.div %2, %4 : (tensor<4096x32768xbf16>, tensor<4096x1xbf16>) -> tensor<4096x32768xbf16>
  fuser.return %5 : tensor<4096x32768xbf16>
}

// CHECK-LABEL: fuser.kernel @rows_reduced_twice
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 8, vectors = 16>
fuser.kernel @rows_reduced_twice(%x: tensor<4096x16384xbf16>) -> tensor<4096x16384xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x16384xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x16384xbf16>, tensor<4096x1xbf16>) -> tensor<4096x16384xbf16>
  %3 = fuser.sum %2 dims [1] : tensor<4096x16384xbf16> -> tensor<4096xbf16>
  %4 = fuser.broadcast %3 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %5 = fuser.div %2, %4 : (tensor<4096x16384xbf16>, tensor<4096x1xbf16>) -> tensor<4096x16384xbf16>
  fuser.return %5 : tensor<4096x16384xbf16>
}

// Reduced once: 128 bytes for a thread.
// CHECK-LABEL: fuser.kernel @rows_reduced_once
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 8, vectors = 8>
fuser.kernel @rows_reduced_once(%x: tensor<4096x16384xbf16>) -> tensor<4096x16384xbf16> {
  %0 = fuser.max %x dims [1] : tensor<4096x16384xbf16> -> tensor<4096xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xbf16> -> tensor<4096x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<4096x16384xbf16>, tensor<4096x1xbf16>) -> tensor<4096x16384xbf16>
  fuser.return %2 : tensor<4096x16384xbf16>
}

// Few rows: how long one takes counts.
// CHECK-LABEL: fuser.kernel @few_rows
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
fuser.kernel @few_rows(%x: tensor<16x16384xbf16>) -> tensor<16x16384xbf16> {
  %0 = fuser.max %x dims [1] : tensor<16x16384xbf16> -> tensor<16xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<16xbf16> -> tensor<16x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<16x16384xbf16>, tensor<16x1xbf16>) -> tensor<16x16384xbf16>
  fuser.return %2 : tensor<16x16384xbf16>
}

// Two rows of 16 KB: 128 threads keep 256 bytes each. Longer ones, and f32, have more threads.
// CHECK-LABEL: fuser.kernel @two_rows
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 8, vectors = 8>
fuser.kernel @two_rows(%x: tensor<16384x8192xbf16>, %y: tensor<16384x8192xbf16>) -> tensor<16384x8192xbf16> {
  %0 = fuser.add %x, %y : tensor<16384x8192xbf16>
  %1 = fuser.max %0 dims [1] : tensor<16384x8192xbf16> -> tensor<16384xbf16>
  %2 = fuser.broadcast %1 dims [1] : tensor<16384xbf16> -> tensor<16384x1xbf16>
  %3 = fuser.sub %0, %2 : (tensor<16384x8192xbf16>, tensor<16384x1xbf16>) -> tensor<16384x8192xbf16>
  fuser.return %3 : tensor<16384x8192xbf16>
}

// CHECK-LABEL: fuser.kernel @two_longer_rows
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
fuser.kernel @two_longer_rows(%x: tensor<16384x16384xbf16>, %y: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = fuser.add %x, %y : tensor<16384x16384xbf16>
  %1 = fuser.max %0 dims [1] : tensor<16384x16384xbf16> -> tensor<16384xbf16>
  %2 = fuser.broadcast %1 dims [1] : tensor<16384xbf16> -> tensor<16384x1xbf16>
  %3 = fuser.sub %0, %2 : (tensor<16384x16384xbf16>, tensor<16384x1xbf16>) -> tensor<16384x16384xbf16>
  fuser.return %3 : tensor<16384x16384xbf16>
}

// Next to random numbers, which need registers, half of the bytes.
// CHECK-LABEL: fuser.kernel @rows_as_they_are
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<vector = 8, vectors = 8>
fuser.kernel @rows_as_they_are(%x: tensor<16384x8192xbf16>) -> tensor<16384x8192xbf16> {
  %0 = fuser.max %x dims [1] : tensor<16384x8192xbf16> -> tensor<16384xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<16384xbf16> -> tensor<16384x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<16384x8192xbf16>, tensor<16384x1xbf16>) -> tensor<16384x8192xbf16>
  fuser.return %2 : tensor<16384x8192xbf16>
}
// CHECK-LABEL: fuser.kernel @dropped_rows
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 256, vector = 8, vectors = 4>
fuser.kernel @dropped_rows(%x: tensor<16384x8192xbf16>, %seed: i64, %offset: i64) -> tensor<16384x8192xbf16> {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %random = fuser.random_uniform %seed, %offset : tensor<16384x8192xf32>
  %kept = fuser.lt %random, %half : (tensor<16384x8192xf32>, f32) -> tensor<16384x8192xi1>
  %dropped = fuser.where %kept, %x, %zero : (tensor<16384x8192xi1>, tensor<16384x8192xbf16>, f32) -> tensor<16384x8192xbf16>
  %0 = fuser.max %dropped dims [1] : tensor<16384x8192xbf16> -> tensor<16384xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<16384xbf16> -> tensor<16384x1xbf16>
  %2 = fuser.sub %dropped, %1 : (tensor<16384x8192xbf16>, tensor<16384x1xbf16>) -> tensor<16384x8192xbf16>
  fuser.return %2 : tensor<16384x8192xbf16>
}

// Groups of channels with a weight for each channel: vectors lie within an image.
// CHECK-LABEL: fuser.kernel @weights_of_channels
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = {{[0-9]+}}, vector = 8,
fuser.kernel @weights_of_channels(%x: tensor<1024x10x4096xbf16>, %w: tensor<10x1xbf16>) -> tensor<1024x10x4096xbf16> {
  %0 = fuser.broadcast %w dims [0] : tensor<10x1xbf16> -> tensor<1x10x1xbf16>
  %1 = fuser.max %x dims [1, 2] : tensor<1024x10x4096xbf16> -> tensor<1024xbf16>
  %2 = fuser.broadcast %1 dims [1, 2] : tensor<1024xbf16> -> tensor<1024x1x1xbf16>
  %3 = fuser.sub %x, %2 : (tensor<1024x10x4096xbf16>, tensor<1024x1x1xbf16>) -> tensor<1024x10x4096xbf16>
  %4 = fuser.mul %3, %0 : (tensor<1024x10x4096xbf16>, tensor<1x10x1xbf16>) -> tensor<1024x10x4096xbf16>
  fuser.return %4 : tensor<1024x10x4096xbf16>
}

// Rows and columns of an image that a reshape merges: the length of a row is exact if both sizes are.
// CHECK-LABEL: fuser.kernel @merged_sizes
// CHECK-SAME: #fuser.fact<at_most 0[2], 64>, #fuser.fact<at_most 0[3], 48>
// CHECK-SAME: #fuser.fact<at_least 0[2], 64>, #fuser.fact<at_least 0[3], 48>
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<
fuser.kernel @merged_sizes(%x: tensor<?x320x?x?xbf16>) -> tensor<?x32x10x?xbf16> attributes {fuser_sched.sizes = [array<i64: 4, 320, 64, 48>]} {
  %0 = fuser.reshape %x groups [1, 1, 2] to [1, 2, 1] : tensor<?x320x?x?xbf16> -> tensor<?x32x10x?xbf16>
  %1 = fuser.max %0 dims [2, 3] : tensor<?x32x10x?xbf16> -> tensor<?x32xbf16>
  %2 = fuser.broadcast %1 dims [2, 3] : tensor<?x32xbf16> -> tensor<?x32x1x1xbf16>
  %3 = fuser.sub %0, %2 : (tensor<?x32x10x?xbf16>, tensor<?x32x1x1xbf16>) -> tensor<?x32x10x?xbf16>
  fuser.return %3 : tensor<?x32x10x?xbf16>
}

// Short rows whose instructions take longer than memory: what is computed of a row repeats in each of its threads.
// CHECK-LABEL: fuser.kernel @entropies
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 2, vector = 2, vectors = 5, rows = 64>
fuser.kernel @entropies(%x: tensor<262144x18xf32>) -> (tensor<262144xf32>, tensor<262144xf32>) {
  %0 = fuser.max %x dims [1] : tensor<262144x18xf32> -> tensor<262144xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<262144xf32> -> tensor<262144x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<262144x18xf32>, tensor<262144x1xf32>) -> tensor<262144x18xf32>
  %3 = fuser.exp %2 : tensor<262144x18xf32>
  %4 = fuser.sum %3 dims [1] : tensor<262144x18xf32> -> tensor<262144xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<262144xf32> -> tensor<262144x1xf32>
  %6 = fuser.log %5 : tensor<262144x1xf32>
  %7 = fuser.sub %2, %6 : (tensor<262144x18xf32>, tensor<262144x1xf32>) -> tensor<262144x18xf32>
  %8 = fuser.exp %7 : tensor<262144x18xf32>
  %9 = fuser.mul %8, %7 : tensor<262144x18xf32>
  %10 = fuser.sum %9 dims [1] : tensor<262144x18xf32> -> tensor<262144xf32>
  fuser.return %0, %10 : tensor<262144xf32>, tensor<262144xf32>
}

// But not those that are limited by memory.
// CHECK-LABEL: fuser.kernel @distances
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 4, vector = 2, vectors = 3, rows = 32>
fuser.kernel @distances(%x: tensor<262144x18xf64>) -> tensor<262144xf64> {
  %0 = fuser.max %x dims [1] : tensor<262144x18xf64> -> tensor<262144xf64>
  %1 = fuser.broadcast %0 dims [1] : tensor<262144xf64> -> tensor<262144x1xf64>
  %2 = fuser.sub %x, %1 : (tensor<262144x18xf64>, tensor<262144x1xf64>) -> tensor<262144x18xf64>
  %3 = fuser.sum %2 dims [1] : tensor<262144x18xf64> -> tensor<262144xf64>
  fuser.return %3 : tensor<262144xf64>
}
