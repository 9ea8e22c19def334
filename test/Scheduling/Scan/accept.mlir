// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules=only=scan -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules="explain=false only=scan" 2>/dev/null | FileCheck %s
// What the scan scheduler accepts.

// Several scans along one dimension, with work before and after them; what is scanned is used again.
// CHECK-LABEL: fuser.kernel @accepts_two_scans
// CHECK-SAME: schedule = #fuser_sched.scan<pattern = inner
fuser.kernel @accepts_two_scans(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.cumsum %1 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.cummax %2 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.sub %3, %1 : tensor<?x?xf32>
  fuser.return %4, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// The order in memory decides which dimension is the fastest.
// CHECK-LABEL: fuser.kernel @accepts_transposed
// CHECK-SAME: schedule = #fuser_sched.scan<pattern = outer
fuser.kernel @accepts_transposed(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// A scan along a dimension of size 1 is like a pointwise op.
// CHECK-LABEL: fuser.kernel @accepts_unit_scan
// CHECK-SAME: schedule = #fuser_sched.scan<pattern = inner
fuser.kernel @accepts_unit_scan(%x: tensor<?x1xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x1xf32> -> tensor<?x1xf32>
  %1 = fuser.add %0, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.cumprod %1 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// What a reshape merges is scanned as a whole.
// CHECK-LABEL: fuser.kernel @accepts_reshape
// CHECK-SAME: schedule = #fuser_sched.scan<pattern = inner
fuser.kernel @accepts_reshape(%x: tensor<4x8x?xf32>) -> tensor<4x?xf32> {
  %0 = fuser.exp %x : tensor<4x8x?xf32>
  %1 = fuser.reshape %0 : tensor<4x8x?xf32> -> tensor<4x?xf32>
  %2 = fuser.cumsum %1 dim 1 : tensor<4x?xf32> -> tensor<4x?xf32>
  fuser.return %2 : tensor<4x?xf32>
}

// -----

// Does not accept a kernel without a scan.
// REFUSED: 'scan' does not schedule this kernel {{\[}}no-scan]: expected a scan, but got none
fuser.kernel @refuses_pointwise(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.neg %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// Does not accept scans along different dimensions.
// REFUSED: 'scan' does not schedule this kernel {{\[}}mixed-scans]: expected scans along one dimension, but they differ
fuser.kernel @refuses_two_dimensions(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// Does not accept a reduction of another dimension than the scanned one, or along columns.
// REFUSED: 'scan' does not schedule this kernel {{\[}}mixed-scans]: expected reductions of the rows that are scanned, along the fastest dimension in memory, but 'fuser.sum' reduces others
fuser.kernel @refuses_reduction(%x: tensor<100x200xf32>) -> (tensor<100x200xf32>, tensor<200xf32>) {
  %0 = fuser.cumsum %x dim 1 : tensor<100x200xf32> -> tensor<100x200xf32>
  %1 = fuser.sum %x dims [0] : tensor<100x200xf32> -> tensor<200xf32>
  fuser.return %0, %1 : tensor<100x200xf32>, tensor<200xf32>
}

// -----

// REFUSED: 'scan' does not schedule this kernel {{\[}}mixed-scans]
fuser.kernel @refuses_columns(%x: tensor<100x200xf32>) -> (tensor<100x200xf32>, tensor<200xf32>) {
  %0 = fuser.cumsum %x dim 0 : tensor<100x200xf32> -> tensor<100x200xf32>
  %1 = fuser.sum %x dims [0] : tensor<100x200xf32> -> tensor<200xf32>
  fuser.return %0, %1 : tensor<100x200xf32>, tensor<200xf32>
}

// -----

// Scans in both directions have whole rows.
// CHECK-LABEL: fuser.kernel @accepts_both_directions
// CHECK-SAME: schedule = #fuser_sched.scan<pattern = inner
fuser.kernel @accepts_both_directions(%x: tensor<?x1000xf32>) -> tensor<?x1000xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x1000xf32> -> tensor<?x1000xf32>
  %1 = fuser.cumsum %0 dim 1 reverse exclusive : tensor<?x1000xf32> -> tensor<?x1000xf32>
  fuser.return %1 : tensor<?x1000xf32>
}

// -----

// REFUSED: 'scan' does not schedule this kernel {{\[}}row-too-long]: expected a row of at most 5120 elements ('threads_x' x 'unroll' x 'vector'), but got 10000
fuser.kernel @refuses_long_rows_in_both_directions(%x: tensor<100x10000xf32>) -> tensor<100x10000xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<100x10000xf32> -> tensor<100x10000xf32>
  %1 = fuser.cumsum %0 dim 1 reverse : tensor<100x10000xf32> -> tensor<100x10000xf32>
  fuser.return %1 : tensor<100x10000xf32>
}

// -----

// REFUSED: 'scan' does not schedule this kernel {{\[}}mixed-scans]: expected scans of columns in one direction, but they differ
fuser.kernel @refuses_columns_in_both_directions(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 0 reverse : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// A part of an argument at an offset, and a part of what is scanned.
// CHECK-LABEL: fuser.kernel @accepts_parts
// CHECK-SAME: schedule = #fuser_sched.scan<pattern = inner
fuser.kernel @accepts_parts(%x: tensor<64x1001xf32>) -> tensor<64x996xf32> {
  %0 = fuser.slice %x [0, 1] [64, 1000] : tensor<64x1001xf32> -> tensor<64x1000xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<64x1000xf32> -> tensor<64x1000xf32>
  %2 = fuser.slice %1 [0, 0] [64, 996] : tensor<64x1000xf32> -> tensor<64x996xf32>
  fuser.return %2 : tensor<64x996xf32>
}

// -----

// Does not accept rows to reduce that are several tiles, or of a length that no fact states.
// REFUSED: 'scan' does not schedule this kernel {{\[}}row-too-long]: expected a row of at most 5120 elements ('threads_x' x 'unroll' x 'vector'), but got 10000
fuser.kernel @refuses_long_rows(%x: tensor<100x10000xf32>) -> tensor<100xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<100x10000xf32> -> tensor<100x10000xf32>
  %1 = fuser.max %0 dims [1] : tensor<100x10000xf32> -> tensor<100xf32>
  fuser.return %1 : tensor<100xf32>
}

// -----

// REFUSED: 'scan' does not schedule this kernel {{\[}}reduced-rows]: expected a length that a fact can state of rows that are reduced
fuser.kernel @refuses_unknown_rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// Does not accept an output without the scanned dimension.
// REFUSED: 'scan' does not schedule this kernel {{\[}}partial-output]: expected outputs with every dimension of the scans, but output 1 lacks one
fuser.kernel @refuses_partial_output(%x: tensor<?x?xf32>, %y: tensor<?x1xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>) {
  %0 = fuser.exp %y : tensor<?x1xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %2 = fuser.cumsum %1 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %2, %0 : tensor<?x?xf32>, tensor<?x1xf32>
}

// -----

// Does not accept a dimension that the scans lack.
// REFUSED: 'scan' does not schedule this kernel {{\[}}uncovered-dimension]
fuser.kernel @refuses_larger_output(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.add %1, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// Does not accept a scan along what a reshape splits, if the parts are in another order in memory.
// REFUSED: 'scan' does not schedule this kernel {{\[}}reshape-of-loops]: expected dimensions of 'fuser.cumsum' that are loops of all ops
fuser.kernel @refuses_split(%x: tensor<?x32xf32>) -> tensor<?x8x4xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x32xf32> -> tensor<?x32xf32>
  %1 = fuser.reshape %0 : tensor<?x32xf32> -> tensor<?x4x8xf32>
  %2 = fuser.permute %1 [0, 2, 1] : tensor<?x4x8xf32> -> tensor<?x8x4xf32>
  fuser.return %2 : tensor<?x8x4xf32>
}

// -----

// Does not accept a scan along what a reshape merges afterwards.
// REFUSED: 'scan' does not schedule this kernel {{\[}}reshape-of-loops]: expected dimensions of 'fuser.cumsum' that are loops of all ops
fuser.kernel @refuses_merged(%x: tensor<4x8x16xf32>) -> tensor<4x128xf32> {
  %0 = fuser.cumsum %x dim 2 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
  %1 = fuser.reshape %0 : tensor<4x8x16xf32> -> tensor<4x128xf32>
  fuser.return %1 : tensor<4x128xf32>
}
