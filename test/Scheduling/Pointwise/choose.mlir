// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s --check-prefixes=CHECK,ANY
// Parameters of pointwise kernels, and the facts that they rely on.

// Sizes that nobody knows: 16-byte vectors over everything merged; what that needs becomes facts.
// CHECK-LABEL: fuser.kernel @contiguous
// ANY-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]
// ANY-SAME: schedule = #fuser_sched.pointwise<vector = 8>
fuser.kernel @contiguous(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.mul %x, %y : tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// An operand per column keeps rows apart, so that no index is divided.
// CHECK-LABEL: fuser.kernel @row_broadcast
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1, merge_grid = true>
fuser.kernel @row_broadcast(%x: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.broadcast %b dims [0] : tensor<?xbf16> -> tensor<1x?xbf16>
  %1 = fuser.add %x, %0 : (tensor<?x?xbf16>, tensor<1x?xbf16>) -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// Static sizes need no facts of sizes; rows fit on the second axis.
// CHECK-LABEL: fuser.kernel @static
// CHECK-SAME: facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4, inner_dims = 1>
fuser.kernel @static(%x: tensor<4096x1024xf32>, %b: tensor<1024xf32>) -> tensor<4096x1024xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<1024xf32> -> tensor<1x1024xf32>
  %1 = fuser.add %x, %0 : (tensor<4096x1024xf32>, tensor<1x1024xf32>) -> tensor<4096x1024xf32>
  fuser.return %1 : tensor<4096x1024xf32>
}

// Odd rows with an operand per column: vectors cross the ends of rows. Two lanes look up their columns together, since two divides a row.
// CHECK-LABEL: fuser.kernel @odd_rows
// CHECK-SAME: facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 4>, #fuser.fact<aligned 2, 16>]
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8>
fuser.kernel @odd_rows(%x: tensor<4096x5002xbf16>, %b: tensor<5002xbf16>) -> tensor<4096x5002xbf16> {
  %0 = fuser.broadcast %b dims [0] : tensor<5002xbf16> -> tensor<1x5002xbf16>
  %1 = fuser.add %x, %0 : (tensor<4096x5002xbf16>, tensor<1x5002xbf16>) -> tensor<4096x5002xbf16>
  fuser.return %1 : tensor<4096x5002xbf16>
}

// Four of them, if the number of columns is a fact.
// CHECK-LABEL: fuser.kernel @rows_of_parts
// CHECK-SAME: #fuser.fact<divisible 0[1], 4>
// CHECK-SAME: #fuser.fact<aligned 1, 8>
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, ragged = true>
fuser.kernel @rows_of_parts(%x: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<equal 0[1], 1[0]>], fuser_sched.sizes = [array<i64: 1003, 4100>, array<i64: 4100>]} {
  %0 = fuser.broadcast %b dims [0] : tensor<?xbf16> -> tensor<1x?xbf16>
  %1 = fuser.add %x, %0 : (tensor<?x?xbf16>, tensor<1x?xbf16>) -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// The index of a lane follows from that of the first one if a row is at least as long as a vector.
// CHECK-LABEL: fuser.kernel @odd_rows_of_any_size
// CHECK-SAME: #fuser.fact<at_least 0[1], 8>
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, ragged = true>
fuser.kernel @odd_rows_of_any_size(%x: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<equal 0[1], 1[0]>],
    fuser_sched.sizes = [array<i64: 1003, 97>, array<i64: 97>]} {
  %0 = fuser.broadcast %b dims [0] : tensor<?xbf16> -> tensor<1x?xbf16>
  %1 = fuser.add %x, %0 : (tensor<?x?xbf16>, tensor<1x?xbf16>) -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// Of shorter rows, a division by a constant finds it: the code is for this length alone.
// CHECK-LABEL: fuser.kernel @rows_of_three
// CHECK-SAME: #fuser.fact<at_most 0[1], 3>, #fuser.fact<at_least 0[1], 3>
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, ragged = true>
fuser.kernel @rows_of_three(%x: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<equal 0[1], 1[0]>], fuser_sched.sizes = [array<i64: 1003, 3>, array<i64: 3>]} {
  %0 = fuser.broadcast %b dims [0] : tensor<?xbf16> -> tensor<1x?xbf16>
  %1 = fuser.add %x, %0 : (tensor<?x?xbf16>, tensor<1x?xbf16>) -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// Rows of one element: a vector would be along the operand, which nothing says is aligned.
// CHECK-LABEL: fuser.kernel @rows_of_one
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 1, rows = 128, inner_dims = 1, merge_grid = true>
fuser.kernel @rows_of_one(%x: tensor<?x1xf32>, %y: tensor<1x?xf32>) -> tensor<?x?xf32> attributes {
    arg_layouts = [unit, #fuser.layout<order = [1, 0]>], facts = [#fuser.fact<equal 0[0], 1[1]>],
    fuser_sched.sizes = [array<i64: 1, 1>, array<i64: 1, 1>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.minimum %x, %y : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// An operand per row needs the other part of the division, one per channel a second one.
// CHECK-LABEL: fuser.kernel @value_of_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @value_of_rows(%x: tensor<4096x1001xf32>, %s: tensor<4096x1xf32>) -> tensor<4096x1001xf32> {
  %0 = fuser.mul %x, %s : (tensor<4096x1001xf32>, tensor<4096x1xf32>) -> tensor<4096x1001xf32>
  fuser.return %0 : tensor<4096x1001xf32>
}
// CHECK-LABEL: fuser.kernel @value_of_channels
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @value_of_channels(%x: tensor<64x33x1001xf32>, %s: tensor<1x33x1xf32>) -> tensor<64x33x1001xf32> {
  %0 = fuser.mul %x, %s : (tensor<64x33x1001xf32>, tensor<1x33x1xf32>) -> tensor<64x33x1001xf32>
  fuser.return %0 : tensor<64x33x1001xf32>
}
// Dimensions that do not follow each other would need three.
// CHECK-LABEL: fuser.kernel @value_of_images_and_columns
// CHECK-SAME: inner_dims = 1
fuser.kernel @value_of_images_and_columns(%x: tensor<64x33x1001xf32>, %s: tensor<64x1x1001xf32>) -> tensor<64x33x1001xf32> {
  %0 = fuser.mul %x, %s : (tensor<64x33x1001xf32>, tensor<64x1x1001xf32>) -> tensor<64x33x1001xf32>
  fuser.return %0 : tensor<64x33x1001xf32>
}

// Nothing divides the number of elements: the last vector has fewer.
// CHECK-LABEL: fuser.kernel @odd_product
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, ragged = true>
fuser.kernel @odd_product(%x: tensor<5555x6667xbf16>) -> tensor<5555x6667xbf16> {
  %0 = fuser.add %x, %x : tensor<5555x6667xbf16>
  fuser.return %0 : tensor<5555x6667xbf16>
}

// Short rows: as many threads as vectors, of as many rows as fill warps best.
// CHECK-LABEL: fuser.kernel @rows_of_five_vectors
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 5, vector = 4, rows = 19, inner_dims = 1, merge_grid = true>
fuser.kernel @rows_of_five_vectors(%x: tensor<2000000x20xf32>, %b: tensor<20xf32>) -> tensor<2000000x20xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<20xf32> -> tensor<1x20xf32>
  %1 = fuser.add %x, %0 : (tensor<2000000x20xf32>, tensor<1x20xf32>) -> tensor<2000000x20xf32>
  fuser.return %1 : tensor<2000000x20xf32>
}

// Odd rows without one: everything merged divides.
// CHECK-LABEL: fuser.kernel @odd_merged
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8>
fuser.kernel @odd_merged(%x: tensor<4096x5002xbf16>) -> tensor<4096x5002xbf16> {
  %0 = fuser.relu %x : tensor<4096x5002xbf16>
  fuser.return %0 : tensor<4096x5002xbf16>
}

// The widest element decides the width.
// CHECK-LABEL: fuser.kernel @mixed_widths
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @mixed_widths(%x: tensor<?xbf16>) -> tensor<?xf32> {
  %0 = fuser.cast %x : tensor<?xbf16> to tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// Short rows share a block.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 16, vector = 4, rows = 8, inner_dims = 1, merge_grid = true>
fuser.kernel @short_rows(%x: tensor<4096x64xf32>, %b: tensor<64xf32>) -> tensor<4096x64xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %1 = fuser.add %x, %0 : (tensor<4096x64xf32>, tensor<1x64xf32>) -> tensor<4096x64xf32>
  fuser.return %1 : tensor<4096x64xf32>
}

// A transposed operand that is too small for tiles is read element by element.
// CHECK-LABEL: fuser.kernel @transposed_operand
// CHECK-SAME: schedule = #fuser_sched.pointwise<{{.*}}inner_dims = 1
fuser.kernel @transposed_operand(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.add %x, %y : tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// A pointer that is known to be aligned to less narrows the vectors.
// CHECK-LABEL: fuser.kernel @less_aligned
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2, unroll = 4>
fuser.kernel @less_aligned(%x: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<aligned 0, 8>]} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// Sizes to choose for may be on the kernel; they let 32-bit indices be used.
// CHECK-LABEL: fuser.kernel @hinted
// CHECK-SAME: #fuser.fact<divisible 0[0], 4>, #fuser.fact<divisible 0[1], 2>
// CHECK-SAME: #fuser.fact<elements_at_most 0, 2130706431>
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8>
fuser.kernel @hinted(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {fuser_sched.sizes = [array<i64: 4096, 5002>]} {
  %0 = fuser.relu %x : tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// A schedule that is there is kept.
// CHECK-LABEL: fuser.kernel @kept
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 64>
fuser.kernel @kept(%x: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.pointwise<threads = 64>} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// Planes that share what is loaded of a tensor without them: as many as leave blocks for all SMs.
// CHECK-LABEL: fuser.kernel @planes
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 16, vector = 8, rows = 8, inner_dims = 1, outer_dims = 2, repeats = 4>
fuser.kernel @planes(%x: tensor<2x32x16384x128xbf16>, %c: tensor<16384x128xf32>, %b: tensor<128xf32>) -> tensor<2x32x16384x128xbf16> {
  %0 = fuser.broadcast %c dims [0, 1] : tensor<16384x128xf32> -> tensor<1x1x16384x128xf32>
  %1 = fuser.cast %x : tensor<2x32x16384x128xbf16> to tensor<2x32x16384x128xf32>
  %2 = fuser.mul %1, %0 : (tensor<2x32x16384x128xf32>, tensor<1x1x16384x128xf32>) -> tensor<2x32x16384x128xf32>
  %b1 = fuser.broadcast %b dims [0, 1, 2] : tensor<128xf32> -> tensor<1x1x1x128xf32>
  %s = fuser.add %2, %b1 : (tensor<2x32x16384x128xf32>, tensor<1x1x1x128xf32>) -> tensor<2x32x16384x128xf32>
  %3 = fuser.cast %s : tensor<2x32x16384x128xf32> to tensor<2x32x16384x128xbf16>
  fuser.return %3 : tensor<2x32x16384x128xbf16>
}

// Not where no rows are left: an operand for each column stays in the cache anyway.
// CHECK-LABEL: fuser.kernel @columns_only
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1>
fuser.kernel @columns_only(%x: tensor<16384x18432xbf16>, %a: tensor<18432xbf16>, %b: tensor<18432xbf16>) -> tensor<16384x18432xbf16> {
  %0 = fuser.broadcast %a dims [0] : tensor<18432xbf16> -> tensor<1x18432xbf16>
  %1 = fuser.broadcast %b dims [0] : tensor<18432xbf16> -> tensor<1x18432xbf16>
  %2 = fuser.mul %x, %0 : (tensor<16384x18432xbf16>, tensor<1x18432xbf16>) -> tensor<16384x18432xbf16>
  %3 = fuser.add %2, %1 : (tensor<16384x18432xbf16>, tensor<1x18432xbf16>) -> tensor<16384x18432xbf16>
  fuser.return %3 : tensor<16384x18432xbf16>
}

// CHECK-LABEL: fuser.kernel @few_planes
// CHECK-SAME: schedule = #fuser_sched.pointwise<
// CHECK-NOT: repeats
fuser.kernel @few_planes(%x: tensor<2x32x16x128xbf16>, %c: tensor<16x128xf32>) -> tensor<2x32x16x128xf32> {
  %0 = fuser.broadcast %c dims [0, 1] : tensor<16x128xf32> -> tensor<1x1x16x128xf32>
  %1 = fuser.cast %x : tensor<2x32x16x128xbf16> to tensor<2x32x16x128xf32>
  %2 = fuser.mul %1, %0 : (tensor<2x32x16x128xf32>, tensor<1x1x16x128xf32>) -> tensor<2x32x16x128xf32>
  fuser.return %2 : tensor<2x32x16x128xf32>
}

// Rows that are parts of longer ones cannot be merged, but their vectors are as wide as their pitch allows.
// CHECK-LABEL: fuser.kernel @parts_of_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1>
fuser.kernel @parts_of_rows(%x: tensor<4096x14336xbf16>, %y: tensor<4096x14336xbf16>) -> tensor<4096x14336xbf16> attributes {
    arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>, #fuser.layout<order = [0, 1], strided = [0]>],
    facts = [#fuser.fact<stride_divisible 0[0], 16>, #fuser.fact<stride_divisible 1[0], 16>]} {
  %0 = fuser.mul %x, %y : tensor<4096x14336xbf16>
  fuser.return %0 : tensor<4096x14336xbf16>
}

// A concatenation at offsets that are sizes: each operand is aligned to vectors, so that a vector is one access.
// CHECK-LABEL: fuser.kernel @joined
// CHECK-SAME: #fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>
// CHECK-SAME: #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1>
fuser.kernel @joined(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    fuser_sched.sizes = [array<i64: 4096, 4096>, array<i64: 4096, 2048>]} {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %1 = fuser.neg %0 : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// Eleven functions of each element: narrower vectors, because the kernel is limited by arithmetic.
// CHECK-LABEL: fuser.kernel @many_functions
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2>
fuser.kernel @many_functions(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cos %x : tensor<?x?xf32>
  %1 = fuser.sin %0 : tensor<?x?xf32>
  %2 = fuser.cos %1 : tensor<?x?xf32>
  %3 = fuser.sin %2 : tensor<?x?xf32>
  %4 = fuser.cos %3 : tensor<?x?xf32>
  %5 = fuser.sin %4 : tensor<?x?xf32>
  %6 = fuser.cos %5 : tensor<?x?xf32>
  %7 = fuser.sin %6 : tensor<?x?xf32>
  %8 = fuser.cos %7 : tensor<?x?xf32>
  %9 = fuser.sin %8 : tensor<?x?xf32>
  %10 = fuser.cos %9 : tensor<?x?xf32>
  fuser.return %10 : tensor<?x?xf32>
}

// Ten are not too many.
// CHECK-LABEL: fuser.kernel @some_functions
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @some_functions(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cos %x : tensor<?x?xf32>
  %1 = fuser.sin %0 : tensor<?x?xf32>
  %2 = fuser.cos %1 : tensor<?x?xf32>
  %3 = fuser.sin %2 : tensor<?x?xf32>
  %4 = fuser.cos %3 : tensor<?x?xf32>
  %5 = fuser.sin %4 : tensor<?x?xf32>
  %6 = fuser.cos %5 : tensor<?x?xf32>
  %7 = fuser.sin %6 : tensor<?x?xf32>
  %8 = fuser.cos %7 : tensor<?x?xf32>
  %9 = fuser.sin %8 : tensor<?x?xf32>
  fuser.return %9 : tensor<?x?xf32>
}

// Eleven, of which all elements of a row share three: a thread computes those once.
// CHECK-LABEL: fuser.kernel @functions_of_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4, inner_dims = 1>
fuser.kernel @functions_of_rows(%x: tensor<4096x4096xf32>, %r: tensor<4096x1xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.cos %x : tensor<4096x4096xf32>
  %1 = fuser.sin %0 : tensor<4096x4096xf32>
  %2 = fuser.cos %1 : tensor<4096x4096xf32>
  %3 = fuser.sin %2 : tensor<4096x4096xf32>
  %4 = fuser.cos %3 : tensor<4096x4096xf32>
  %5 = fuser.sin %4 : tensor<4096x4096xf32>
  %6 = fuser.cos %5 : tensor<4096x4096xf32>
  %7 = fuser.sin %6 : tensor<4096x4096xf32>
  %8 = fuser.cos %r : tensor<4096x1xf32>
  %9 = fuser.sin %8 : tensor<4096x1xf32>
  %10 = fuser.cos %9 : tensor<4096x1xf32>
  %11 = fuser.mul %7, %10 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  fuser.return %11 : tensor<4096x4096xf32>
}

// Narrow vectors with functions: fewer of them in each thread.
// CHECK-LABEL: fuser.kernel @functions_of_odd_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<unroll = 2, inner_dims = 1>
fuser.kernel @functions_of_odd_rows(%x: tensor<4096x5001xf32>, %b: tensor<5001xf32>) -> tensor<4096x5001xf32> {
  %0 = fuser.cos %x : tensor<4096x5001xf32>
  %1 = fuser.sin %0 : tensor<4096x5001xf32>
  %2 = fuser.cos %1 : tensor<4096x5001xf32>
  %3 = fuser.sin %2 : tensor<4096x5001xf32>
  %4 = fuser.cos %3 : tensor<4096x5001xf32>
  %5 = fuser.sin %4 : tensor<4096x5001xf32>
  %6 = fuser.cos %5 : tensor<4096x5001xf32>
  %7 = fuser.sin %6 : tensor<4096x5001xf32>
  %8 = fuser.cos %7 : tensor<4096x5001xf32>
  %9 = fuser.sin %8 : tensor<4096x5001xf32>
  %10 = fuser.cos %9 : tensor<4096x5001xf32>
  %11 = fuser.broadcast %b dims [0] : tensor<5001xf32> -> tensor<1x5001xf32>
  %12 = fuser.add %10, %11 : (tensor<4096x5001xf32>, tensor<1x5001xf32>) -> tensor<4096x5001xf32>
  fuser.return %12 : tensor<4096x5001xf32>
}

// Rows at indices: several vectors of a thread wait for an index together; of few rows, none.
// CHECK-LABEL: fuser.kernel @gather
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, unroll = 4, inner_dims = 1>
fuser.kernel @gather(%table: tensor<131072x4096xbf16>, %ids: tensor<8192xi64>) -> tensor<8192x4096xbf16> {
  %0 = fuser.index_select %table, %ids dim 0 : tensor<131072x4096xbf16>, tensor<8192xi64> -> tensor<8192x4096xbf16>
  fuser.return %0 : tensor<8192x4096xbf16>
}

// CHECK-LABEL: fuser.kernel @gather_short
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 64, vector = 8, unroll = 2, rows = 4, inner_dims = 1>
fuser.kernel @gather_short(%table: tensor<131072x1024xbf16>, %ids: tensor<32768xi64>) -> tensor<32768x1024xbf16> {
  %0 = fuser.index_select %table, %ids dim 0 : tensor<131072x1024xbf16>, tensor<32768xi64> -> tensor<32768x1024xbf16>
  fuser.return %0 : tensor<32768x1024xbf16>
}

// CHECK-LABEL: fuser.kernel @gather_few
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1>
fuser.kernel @gather_few(%table: tensor<131072x4096xbf16>, %ids: tensor<16xi64>) -> tensor<16x4096xbf16> {
  %0 = fuser.index_select %table, %ids dim 0 : tensor<131072x4096xbf16>, tensor<16xi64> -> tensor<16x4096xbf16>
  fuser.return %0 : tensor<16x4096xbf16>
}

// Vectors at an odd offset are read by elements, and stored whole, across the ends of rows.
// CHECK-LABEL: fuser.kernel @pad_by_one
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @pad_by_one(%x: tensor<8192x8190xf32>) -> tensor<8192x8194xf32> {
  %c0 = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [0, 1] high [0, 3] value %c0 : tensor<8192x8190xf32>, f32 -> tensor<8192x8194xf32>
  fuser.return %0 : tensor<8192x8194xf32>
}

// Statistics and weights of channels are six times the bytes of the elements: blocks of 128 adjacent bytes, so that the lanes of
// a warp in different rows read the same.
// CHECK-LABEL: fuser.kernel @channels
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 8, vector = 8, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @channels(%x: tensor<100000x1024xbf16>, %mean: tensor<1024xf32>, %rstd: tensor<1024xf32>, %w: tensor<1024xbf16>, %b: tensor<1024xbf16>) -> tensor<100000x1024xbf16> {
  %0 = fuser.cast %x : tensor<100000x1024xbf16> to tensor<100000x1024xf32>
  %1 = fuser.broadcast %mean dims [0] : tensor<1024xf32> -> tensor<1x1024xf32>
  %2 = fuser.sub %0, %1 : (tensor<100000x1024xf32>, tensor<1x1024xf32>) -> tensor<100000x1024xf32>
  %3 = fuser.broadcast %rstd dims [0] : tensor<1024xf32> -> tensor<1x1024xf32>
  %4 = fuser.mul %2, %3 : (tensor<100000x1024xf32>, tensor<1x1024xf32>) -> tensor<100000x1024xf32>
  %5 = fuser.cast %w : tensor<1024xbf16> to tensor<1024xf32>
  %6 = fuser.broadcast %5 dims [0] : tensor<1024xf32> -> tensor<1x1024xf32>
  %7 = fuser.mul %4, %6 : (tensor<100000x1024xf32>, tensor<1x1024xf32>) -> tensor<100000x1024xf32>
  %8 = fuser.cast %b : tensor<1024xbf16> to tensor<1024xf32>
  %9 = fuser.broadcast %8 dims [0] : tensor<1024xf32> -> tensor<1x1024xf32>
  %10 = fuser.add %7, %9 : (tensor<100000x1024xf32>, tensor<1x1024xf32>) -> tensor<100000x1024xf32>
  %11 = fuser.cast %10 : tensor<100000x1024xf32> to tensor<100000x1024xbf16>
  fuser.return %11 : tensor<100000x1024xbf16>
}

// A weight and a bias in the type of the elements are less than four times their bytes: whole rows.
// CHECK-LABEL: fuser.kernel @weight_and_bias
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1>
fuser.kernel @weight_and_bias(%x: tensor<1000x1024xbf16>, %w: tensor<1024xbf16>, %b: tensor<1024xbf16>) -> tensor<1000x1024xbf16> {
  %0 = fuser.broadcast %w dims [0] : tensor<1024xbf16> -> tensor<1x1024xbf16>
  %1 = fuser.mul %x, %0 : (tensor<1000x1024xbf16>, tensor<1x1024xbf16>) -> tensor<1000x1024xbf16>
  %2 = fuser.broadcast %b dims [0] : tensor<1024xbf16> -> tensor<1x1024xbf16>
  %3 = fuser.add %1, %2 : (tensor<1000x1024xbf16>, tensor<1x1024xbf16>) -> tensor<1000x1024xbf16>
  fuser.return %3 : tensor<1000x1024xbf16>
}

// Elements that are made of values of rows and columns: two vectors of a thread, and no strips.
// CHECK-LABEL: fuser.kernel @outer_product
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, unroll = 2, inner_dims = 1>
fuser.kernel @outer_product(%x: tensor<16384x1xf32>, %y: tensor<1x8192xf32>) -> tensor<16384x8192xbf16> {
  %0 = fuser.mul %x, %y : (tensor<16384x1xf32>, tensor<1x8192xf32>) -> tensor<16384x8192xf32>
  %1 = fuser.cast %0 : tensor<16384x8192xf32> to tensor<16384x8192xbf16>
  fuser.return %1 : tensor<16384x8192xbf16>
}

// Few bytes of elements next to wide values of columns: two vectors of a thread in each strip.
// CHECK-LABEL: fuser.kernel @scaled_bytes
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 8, vector = 8, unroll = 2, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @scaled_bytes(%x: tensor<16384x8192xi8>, %y: tensor<1x8192xf32>) -> tensor<16384x8192xbf16> {
  %0 = fuser.cast %x : tensor<16384x8192xi8> to tensor<16384x8192xf32>
  %1 = fuser.mul %0, %y : (tensor<16384x8192xf32>, tensor<1x8192xf32>) -> tensor<16384x8192xf32>
  %2 = fuser.cast %1 : tensor<16384x8192xf32> to tensor<16384x8192xbf16>
  fuser.return %2 : tensor<16384x8192xbf16>
}

// Rows that are added at an index are vectors of f32, and threads read the index once for two of them.
// CHECK-LABEL: fuser.kernel @rows_are_added
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 16, vector = 4, unroll = 2, rows = 16, inner_dims = 1>
fuser.kernel @rows_are_added(%s: tensor<200000x128xf32>, %i: tensor<200000xi64>, %x: tensor<10000x128xf32>) -> tensor<10000x128xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %b = fuser.broadcast %i dims [1] : tensor<200000xi64> -> tensor<200000x1xi64>
  %e = fuser.expand %b : tensor<200000x1xi64> -> tensor<200000x128xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<200000x128xf32>, tensor<200000x128xi64>, tensor<10000x128xf32>
  fuser.return %0 : tensor<10000x128xf32>
}

// Elements of i32 are combined one by one: adjacent threads have adjacent ones.
// CHECK-LABEL: fuser.kernel @rows_of_integers
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 64, unroll = 2, rows = 4, inner_dims = 1>
fuser.kernel @rows_of_integers(%s: tensor<200000x128xi32>, %i: tensor<200000xi64>, %x: tensor<10000x128xi32>) -> tensor<10000x128xi32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %b = fuser.broadcast %i dims [1] : tensor<200000xi64> -> tensor<200000x1xi64>
  %e = fuser.expand %b : tensor<200000x1xi64> -> tensor<200000x128xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce max : tensor<200000x128xi32>, tensor<200000x128xi64>, tensor<10000x128xi32>
  fuser.return %0 : tensor<10000x128xi32>
}

// Channels of pixels are read across, adjacent columns near each other: a thread has several, so that enough bytes are in flight.
// CHECK-LABEL: fuser.kernel @views_of_pixels
// CHECK-SAME: pointwise<threads = 64, unroll = 8, rows = 2
fuser.kernel @views_of_pixels(%a: tensor<64x512x512x1xi8>, %b: tensor<64x512x512x1xi8>) -> tensor<64x2x512x512xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3], strided = [0, 1, 2]>,
                               #fuser.layout<order = [0, 1, 2, 3], strided = [0, 1, 2]>]} {
  %0 = fuser.cat %a, %b dim 3 : (tensor<64x512x512x1xi8>, tensor<64x512x512x1xi8>) -> tensor<64x512x512x2xi8>
  %1 = fuser.permute %0 [0, 3, 1, 2] : tensor<64x512x512x2xi8> -> tensor<64x2x512x512xi8>
  %2 = fuser.cast %1 : tensor<64x2x512x512xi8> to tensor<64x2x512x512xf32>
  fuser.return %2 : tensor<64x2x512x512xf32>
}
