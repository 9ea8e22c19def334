// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=transpose target=h200" | FileCheck %s
// Parameters: rows of 256 bytes of the inputs and of 128 of the outputs, shorter where a dimension is, vectors as wide as
// sizes allow, two of them for a thread.

// CHECK-LABEL: fuser.kernel @large
// CHECK-SAME: schedule = #fuser_sched.transpose<tile_in = 128, vector_in = 8, vector_out = 8>
fuser.kernel @large(%x: tensor<16384x8192xbf16>) -> tensor<8192x16384xbf16> {
  %0 = fuser.permute %x [1, 0] : tensor<16384x8192xbf16> -> tensor<8192x16384xbf16>
  fuser.return %0 : tensor<8192x16384xbf16>
}

// CHECK-LABEL: fuser.kernel @wide_elements
// CHECK-SAME: schedule = #fuser_sched.transpose<vector_in = 4, vector_out = 4>
fuser.kernel @wide_elements(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<4096x4096xf32> -> tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// One side is odd, the other short.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 32, vector_in = 8>
fuser.kernel @odd(%x: tensor<5001x24xbf16>) -> tensor<24x5001xbf16> {
  %0 = fuser.permute %x [1, 0] : tensor<5001x24xbf16> -> tensor<24x5001xbf16>
  fuser.return %0 : tensor<24x5001xbf16>
}

// A sum passes through one tile: longer rows of the inputs, and adjacent blocks along the output's.
// CHECK-LABEL: fuser.kernel @two_inputs
// CHECK-SAME: schedule = #fuser_sched.transpose<tile_out = 128, vector_in = 8, vector_out = 8, adjacent_in = true>
fuser.kernel @two_inputs(%x: tensor<8192x8192xbf16>, %y: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = fuser.add %x, %y : tensor<8192x8192xbf16>
  %1 = fuser.permute %0 [1, 0] : tensor<8192x8192xbf16> -> tensor<8192x8192xbf16>
  fuser.return %1 : tensor<8192x8192xbf16>
}

// The tiles of all transposed inputs share what a block gets without asking: shorter rows of four.
// CHECK-LABEL: fuser.kernel @four_inputs
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, vector_in = 8, vector_out = 8>
fuser.kernel @four_inputs(%x: tensor<8192x8192xbf16>, %y: tensor<8192x8192xbf16>, %z: tensor<8192x8192xbf16>,
                          %w: tensor<8192x8192xbf16>) -> (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>, tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) {
  %0 = fuser.permute %x [1, 0] : tensor<8192x8192xbf16> -> tensor<8192x8192xbf16>
  %1 = fuser.permute %y [1, 0] : tensor<8192x8192xbf16> -> tensor<8192x8192xbf16>
  %2 = fuser.permute %z [1, 0] : tensor<8192x8192xbf16> -> tensor<8192x8192xbf16>
  %3 = fuser.permute %w [1, 0] : tensor<8192x8192xbf16> -> tensor<8192x8192xbf16>
  %4 = fuser.add %0, %1 : tensor<8192x8192xbf16>
  %5 = fuser.add %0, %2 : tensor<8192x8192xbf16>
  %6 = fuser.add %0, %3 : tensor<8192x8192xbf16>
  fuser.return %0, %4, %5, %6 : tensor<8192x8192xbf16>, tensor<8192x8192xbf16>, tensor<8192x8192xbf16>, tensor<8192x8192xbf16>
}

// Bytes: rows of both have 128.
// CHECK-LABEL: fuser.kernel @bytes
// CHECK-SAME: schedule = #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 16, vector_out = 16>
fuser.kernel @bytes(%x: tensor<8192x8192xi8>) -> tensor<8192x8192xi8> {
  %0 = fuser.permute %x [1, 0] : tensor<8192x8192xi8> -> tensor<8192x8192xi8>
  fuser.return %0 : tensor<8192x8192xi8>
}

// Rows and columns of an image are one side of a tile: 49 elements.
// CHECK-LABEL: fuser.kernel @small_images
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 196, tile_in = 49, vector_out = 8, adjacent_in = true>
fuser.kernel @small_images(%x: tensor<128x512x7x7xbf16>) -> tensor<128x7x7x512xbf16> {
  %0 = fuser.permute %x [0, 2, 3, 1] : tensor<128x512x7x7xbf16> -> tensor<128x7x7x512xbf16>
  fuser.return %0 : tensor<128x7x7x512xbf16>
}

// Of 169 elements, 87 of a tile's 256 would be out of bounds: 23 of 192 are.
// CHECK-LABEL: fuser.kernel @images
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, vector_out = 4>
fuser.kernel @images(%x: tensor<16x1000x13x13xbf16>) -> tensor<16x13x13x1000xbf16> {
  %0 = fuser.permute %x [0, 2, 3, 1] : tensor<16x1000x13x13xbf16> -> tensor<16x13x13x1000xbf16>
  fuser.return %0 : tensor<16x13x13x1000xbf16>
}

// Rows of an odd number of single elements are a side of a tile as they are, in vectors that cross their ends.
// CHECK-LABEL: fuser.kernel @odd_rows
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 544, tile_in = 33, tile_out = 128, vector_in = 8>
fuser.kernel @odd_rows(%x: tensor<300001x33xbf16>) -> tensor<33x300001xbf16> {
  %0 = fuser.permute %x [1, 0] : tensor<300001x33xbf16> -> tensor<33x300001xbf16>
  fuser.return %0 : tensor<33x300001xbf16>
}

// A kernel for several lengths has no side that is all of its dimension.
// CHECK-LABEL: fuser.kernel @odd_rows_of_a_range
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 264, tile_in = 33, tile_out = 128>
fuser.kernel @odd_rows_of_a_range(%x: tensor<300001x?xbf16>) -> tensor<?x300001xbf16> attributes {
    facts = [#fuser.fact<at_least 0[1], 17>, #fuser.fact<at_most 0[1], 33>], fuser_sched.sizes = [array<i64: 300001, 33>]} {
  %0 = fuser.permute %x [1, 0] : tensor<300001x?xbf16> -> tensor<?x300001xbf16>
  fuser.return %0 : tensor<?x300001xbf16>
}

// A tensor that has only one of them keeps them apart.
// CHECK-LABEL: fuser.kernel @rows_of_images
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 64, tile_in = 16, vector_in = 8, vector_out = 8>
fuser.kernel @rows_of_images(%x: tensor<128x512x7x16xbf16>, %b: tensor<7x1x1xbf16>) -> tensor<128x7x16x512xbf16> {
  %0 = fuser.permute %x [0, 2, 3, 1] : tensor<128x512x7x16xbf16> -> tensor<128x7x16x512xbf16>
  %1 = fuser.squeeze %b dims [1, 2] : tensor<7x1x1xbf16> -> tensor<7xbf16>
  %2 = fuser.broadcast %1 dims [0, 2, 3] : tensor<7xbf16> -> tensor<1x7x1x1xbf16>
  %3 = fuser.mul %0, %2 : (tensor<128x7x16x512xbf16>, tensor<1x7x1x1xbf16>) -> tensor<128x7x16x512xbf16>
  fuser.return %3 : tensor<128x7x16x512xbf16>
}

// So does an argument whose rows are farther apart than they are long.
// CHECK-LABEL: fuser.kernel @padded_rows
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 64, tile_in = 16, vector_out = 4>
fuser.kernel @padded_rows(%x: tensor<128x512x7x16xbf16>) -> tensor<128x7x16x512xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3], strided = [2]>]} {
  %0 = fuser.permute %x [0, 2, 3, 1] : tensor<128x512x7x16xbf16> -> tensor<128x7x16x512xbf16>
  fuser.return %0 : tensor<128x7x16x512xbf16>
}

// One side is read by single elements, all of which wait for memory at once: smaller tiles, with 16
// elements of a thread, and narrower vectors that are gathered from them. The sum is computed before
// it passes through shared memory, so that its rows are those of the tile; blocks are adjacent along
// the arguments' rows, which share sectors.
// CHECK-LABEL: fuser.kernel @odd_rows_of_arguments
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 128, tile_out = 32, vector_in = 4>
fuser.kernel @odd_rows_of_arguments(%x: tensor<30000x5001xbf16>, %y: tensor<30000x5001xbf16>) -> tensor<5001x30000xbf16> {
  %0 = fuser.add %x, %y : tensor<30000x5001xbf16>
  %1 = fuser.permute %0 [1, 0] : tensor<30000x5001xbf16> -> tensor<5001x30000xbf16>
  fuser.return %1 : tensor<5001x30000xbf16>
}

// Those of the results share sectors too here: blocks are adjacent along them.
// CHECK-LABEL: fuser.kernel @odd_rows_of_both
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 128, tile_in = 32, adjacent_in = true>
fuser.kernel @odd_rows_of_both(%x: tensor<10007x5001xbf16>, %y: tensor<10007x5001xbf16>) -> tensor<5001x10007xbf16> {
  %0 = fuser.add %x, %y : tensor<10007x5001xbf16>
  %1 = fuser.permute %0 [1, 0] : tensor<10007x5001xbf16> -> tensor<5001x10007xbf16>
  fuser.return %1 : tensor<5001x10007xbf16>
}

// CHECK-LABEL: fuser.kernel @odd_rows_of_results
// CHECK-SAME: schedule = #fuser_sched.transpose<vector_in = 8>
fuser.kernel @odd_rows_of_results(%x: tensor<5001x30000xbf16>) -> tensor<30000x5001xbf16> {
  %0 = fuser.permute %x [1, 0] : tensor<5001x30000xbf16> -> tensor<30000x5001xbf16>
  fuser.return %0 : tensor<30000x5001xbf16>
}

// Two channels become the fastest dimension, four stop being it: vectors that cross the ends of their rows, where the long
// rows have none.
// CHECK-LABEL: fuser.kernel @two_channels
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 64, tile_in = 512, tile_out = 2, vector_out = 8>
fuser.kernel @two_channels(%x: tensor<2x4000001xbf16>) -> tensor<4000001x2xbf16> {
  %0 = fuser.permute %x [1, 0] : tensor<2x4000001xbf16> -> tensor<4000001x2xbf16>
  fuser.return %0 : tensor<4000001x2xbf16>
}

// CHECK-LABEL: fuser.kernel @four_channels
// CHECK-SAME: tile_in = 4, tile_out = 512, vector_in = 8>
fuser.kernel @four_channels(%x: tensor<4000001x4xbf16>) -> tensor<4x4000001xbf16> {
  %0 = fuser.permute %x [1, 0] : tensor<4000001x4xbf16> -> tensor<4x4000001xbf16>
  fuser.return %0 : tensor<4x4000001xbf16>
}

// -----
// The two columns of a patch are too few for a tile: with the patches of a row, which the arguments have elsewhere, they
// are a side of it.
// CHECK-LABEL: fuser.kernel @patches
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 64, tile_in = 16, vector_in = 8, vector_out = 8>
fuser.kernel @patches(%x: tensor<16x64x64x2x2x16xbf16>) -> tensor<16x16x64x2x64x2xbf16> {
  %0 = fuser.permute %x [0, 5, 1, 3, 2, 4] : tensor<16x64x64x2x2x16xbf16> -> tensor<16x16x64x2x64x2xbf16>
  fuser.return %0 : tensor<16x16x64x2x64x2xbf16>
}

// -----
// Eight channels of a group are too few for a tile: with the groups, of which the means are few numbers for all pixels,
// they are a side.
// CHECK-LABEL: fuser.kernel @groups
// CHECK-SAME: schedule = #fuser_sched.transpose<
fuser.kernel @groups(%x: tensor<8x32x8x4096xbf16>, %m: tensor<8x32xf32>) -> tensor<8x32x8x4096xbf16>
    attributes {output_orders = [array<i64: 0, 3, 1, 2>]} {
  %0 = fuser.broadcast %m dims [2, 3] : tensor<8x32xf32> -> tensor<8x32x1x1xf32>
  %1 = fuser.cast %x : tensor<8x32x8x4096xbf16> to tensor<8x32x8x4096xf32>
  %2 = fuser.sub %1, %0 : (tensor<8x32x8x4096xf32>, tensor<8x32x1x1xf32>) -> tensor<8x32x8x4096xf32>
  %3 = fuser.cast %2 : tensor<8x32x8x4096xf32> to tensor<8x32x8x4096xbf16>
  fuser.return %3 : tensor<8x32x8x4096xbf16>
}

// -----
// Rows of 100 elements that are written begin within sectors: a tile has whole ones.
// CHECK-LABEL: fuser.kernel @whole_written_rows
// CHECK-SAME: schedule = #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 8, vector_out = 4>
fuser.kernel @whole_written_rows(%x: tensor<64x100x120x96xbf16>) -> tensor<96x64x120x100xbf16> {
  %0 = fuser.permute %x [3, 0, 2, 1] : tensor<64x100x120x96xbf16> -> tensor<96x64x120x100xbf16>
  %1 = fuser.set %0 : tensor<96x64x120x100xbf16>
  fuser.return %1 : tensor<96x64x120x100xbf16>
}

// Those of 112 begin with them: two tiles share no sector.
// CHECK-LABEL: fuser.kernel @parts_of_written_rows
// CHECK-SAME: schedule = #fuser_sched.transpose<tile_in = 128, vector_in = 8, vector_out = 8>
fuser.kernel @parts_of_written_rows(%x: tensor<64x112x120x96xbf16>) -> tensor<96x64x120x112xbf16> {
  %0 = fuser.permute %x [3, 0, 2, 1] : tensor<64x112x120x96xbf16> -> tensor<96x64x120x112xbf16>
  %1 = fuser.set %0 : tensor<96x64x120x112xbf16>
  fuser.return %1 : tensor<96x64x120x112xbf16>
}

// An argument that lacks a side is read in the vectors of the other one: they are as wide as its address is known to allow.
// CHECK-LABEL: fuser.kernel @known_alignment
// CHECK-NOT: #fuser.fact<aligned 1, 16>
// CHECK-SAME: vector_in = 2
fuser.kernel @known_alignment(%x: tensor<1024x2048xf16>, %y: tensor<1024xf16>) -> tensor<1024x2048xf16> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit], facts = [#fuser.fact<aligned 1, 4>]} {
  %0 = fuser.broadcast %y dims [1] : tensor<1024xf16> -> tensor<1024x1xf16>
  %1 = fuser.add %x, %0 : (tensor<1024x2048xf16>, tensor<1024x1xf16>) -> tensor<1024x2048xf16>
  fuser.return %1 : tensor<1024x2048xf16>
}
