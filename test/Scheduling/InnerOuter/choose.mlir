// RUN: fuser-opt %s --fuser-choose-schedules="only=inner_outer target=h200" | FileCheck %s
// Threads and vectors by the length of a row and by what a thread keeps for each column; blocks that all run at once.

// CHECK-LABEL: fuser.kernel @long_rows
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 512, vector = 8, vectors = 2>
fuser.kernel @long_rows(%x: tensor<16384x8192xbf16>, %y: tensor<16384x8192xbf16>) -> (tensor<16384x8192xbf16>, tensor<8192xf32>) {
  %xf = fuser.cast %x : tensor<16384x8192xbf16> to tensor<16384x8192xf32>
  %yf = fuser.cast %y : tensor<16384x8192xbf16> to tensor<16384x8192xf32>
  %0 = fuser.mul %xf, %yf : tensor<16384x8192xf32>
  %1 = fuser.max %0 dims [1] : tensor<16384x8192xf32> -> tensor<16384xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<16384xf32> -> tensor<16384x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<16384x8192xf32>, tensor<16384x1xf32>) -> tensor<16384x8192xf32>
  %4 = fuser.cast %3 : tensor<16384x8192xf32> to tensor<16384x8192xbf16>
  %5 = fuser.sum %0 dims [0] : tensor<16384x8192xf32> -> tensor<8192xf32>
  fuser.return %4, %5 : tensor<16384x8192xbf16>, tensor<8192xf32>
}

// The threads of a warp keep all columns of a row, and eight rows share a block.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 32, vector = 4, vectors = 4, rows = 8, blocks = 264>
fuser.kernel @short_rows(%x: tensor<16384x512xf32>) -> (tensor<16384x512xf32>, tensor<512xf32>) {
  %0 = fuser.max %x dims [1] : tensor<16384x512xf32> -> tensor<16384xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<16384xf32> -> tensor<16384x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<16384x512xf32>, tensor<16384x1xf32>) -> tensor<16384x512xf32>
  %3 = fuser.sum %2 dims [0] : tensor<16384x512xf32> -> tensor<512xf32>
  fuser.return %2, %3 : tensor<16384x512xf32>, tensor<512xf32>
}

// No more blocks than rows.
// CHECK-LABEL: fuser.kernel @few_rows
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 32, vector = 4, blocks = 7>
fuser.kernel @few_rows(%x: tensor<7x64xf32>) -> (tensor<7x64xf32>, tensor<64xf32>) {
  %0 = fuser.max %x dims [1] : tensor<7x64xf32> -> tensor<7xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<7xf32> -> tensor<7x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<7x64xf32>, tensor<7x1xf32>) -> tensor<7x64xf32>
  %3 = fuser.sum %2 dims [0] : tensor<7x64xf32> -> tensor<64xf32>
  fuser.return %2, %3 : tensor<7x64xf32>, tensor<64xf32>
}

// Columns in a range: threads and vectors of the longest rows, and no fact about the expected length.
// CHECK-LABEL: fuser.kernel @range
// CHECK-SAME: facts = [#fuser.fact<at_least 0[1], 2048>, #fuser.fact<at_most 0[1], 8192>,
// CHECK-NOT: at_least
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 512, vector = 4, vectors = 4>
fuser.kernel @range(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) attributes {
    facts = [#fuser.fact<at_least 0[1], 2048>, #fuser.fact<at_most 0[1], 8192>], fuser_sched.sizes = [array<i64: 16384, 3072>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
}

// As many threads of a multiprocessor as have registers: 512 with 2 vectors each, not 352 with 3.
// CHECK-LABEL: fuser.kernel @resident
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 512, vector = 4, vectors = 2>
fuser.kernel @resident(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> (tensor<4096x4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %0 = fuser.mul %x, %y : tensor<4096x4096xf32>
  %1 = fuser.max %0 dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %4 = fuser.sum %0 dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %5 = fuser.sum %x dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  fuser.return %3, %4, %5 : tensor<4096x4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}

// Of numbers that fill a multiprocessor equally, the smallest: blocks hide each other's barriers.
// CHECK-LABEL: fuser.kernel @equal
// CHECK-SAME: schedule = #fuser_sched.inner_outer<vector = 8, vectors = 2, blocks = 264>
fuser.kernel @equal(%x: tensor<4096x4096xbf16>) -> (tensor<4096x4096xbf16>, tensor<4096xf32>) {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.max %0 dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %4 = fuser.cast %3 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  %5 = fuser.sum %0 dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  fuser.return %4, %5 : tensor<4096x4096xbf16>, tensor<4096xf32>
}

// Two rows of a block where registers let more threads be resident.
// CHECK-LABEL: fuser.kernel @two_rows
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 192, vector = 8, rows = 2, blocks = 264>
fuser.kernel @two_rows(%x: tensor<40000x1536xbf16>) -> (tensor<40000x1536xbf16>, tensor<1536xf32>) {
  %0 = fuser.cast %x : tensor<40000x1536xbf16> to tensor<40000x1536xf32>
  %1 = fuser.max %0 dims [1] : tensor<40000x1536xf32> -> tensor<40000xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<40000xf32> -> tensor<40000x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<40000x1536xf32>, tensor<40000x1xf32>) -> tensor<40000x1536xf32>
  %4 = fuser.cast %3 : tensor<40000x1536xf32> to tensor<40000x1536xbf16>
  %5 = fuser.sum %0 dims [0] : tensor<40000x1536xf32> -> tensor<1536xf32>
  fuser.return %4, %5 : tensor<40000x1536xbf16>, tensor<1536xf32>
}

// Means of columns are sums that are divided, also of a number of rows that is not known.
// CHECK-LABEL: fuser.kernel @softmax_and_means
// CHECK-SAME: schedule = #fuser_sched.inner_outer<threads = 4, vector = 4, vectors = 4, rows = 64, blocks = 264>
fuser.kernel @softmax_and_means(%x: tensor<65536x64xf32>) -> (tensor<65536xf32>, tensor<64xf32>) {
  %0 = fuser.exp %x : tensor<65536x64xf32>
  %1 = fuser.sum %0 dims [1] : tensor<65536x64xf32> -> tensor<65536xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<65536xf32> -> tensor<65536x1xf32>
  %3 = fuser.div %0, %2 : (tensor<65536x64xf32>, tensor<65536x1xf32>) -> tensor<65536x64xf32>
  %4 = fuser.mean %3 dims [0] : tensor<65536x64xf32> -> tensor<64xf32>
  fuser.return %1, %4 : tensor<65536xf32>, tensor<64xf32>
}

// CHECK-LABEL: fuser.kernel @unknown_softmax_and_means
// CHECK-SAME: schedule = #fuser_sched.inner_outer<
fuser.kernel @unknown_softmax_and_means(%x: tensor<?x64xf32>) -> (tensor<?xf32>, tensor<64xf32>) {
  %0 = fuser.exp %x : tensor<?x64xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.div %0, %2 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %4 = fuser.mean %3 dims [0] : tensor<?x64xf32> -> tensor<64xf32>
  fuser.return %1, %4 : tensor<?xf32>, tensor<64xf32>
}
