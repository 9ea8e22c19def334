// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s
// Kernels that read values of rows and of columns, and columns at indices.

// Columns at indices are those of whole rows, which stay in the first-level cache of a block: no strips, narrow vectors, and
// several of a thread, which wait for the indices together.
// CHECK-LABEL: fuser.kernel @gathered_columns
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2, unroll = 4, inner_dims = 1>
fuser.kernel @gathered_columns(%x: tensor<20000x3000xbf16>, %i: tensor<1000xi64>) -> tensor<20000x1000xbf16> {
  %0 = fuser.index_select %x, %i dim 1 : tensor<20000x3000xbf16>, tensor<1000xi64> -> tensor<20000x1000xbf16>
  fuser.return %0 : tensor<20000x1000xbf16>
}

// Together with a value of each row, and with other elements.
// CHECK-LABEL: fuser.kernel @gathered_columns_and_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2, unroll = 4, inner_dims = 1>
fuser.kernel @gathered_columns_and_rows(%x: tensor<20000x3000xbf16>, %i: tensor<1000xi64>, %row: tensor<20000xbf16>, %y: tensor<20000x1000xbf16>) -> tensor<20000x1000xbf16> {
  %0 = fuser.index_select %x, %i dim 1 : tensor<20000x3000xbf16>, tensor<1000xi64> -> tensor<20000x1000xbf16>
  %1 = fuser.broadcast %row dims [1] : tensor<20000xbf16> -> tensor<20000x1xbf16>
  %2 = fuser.mul %0, %1 : (tensor<20000x1000xbf16>, tensor<20000x1xbf16>) -> tensor<20000x1000xbf16>
  %3 = fuser.add %2, %y : tensor<20000x1000xbf16>
  fuser.return %3 : tensor<20000x1000xbf16>
}

// Not if more is read of elements than indices: their vectors are wide.
// CHECK-LABEL: fuser.kernel @more_elements
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 125, vector = 8, inner_dims = 1>
fuser.kernel @more_elements(%x: tensor<20000x3000xbf16>, %i: tensor<1000xi64>, %y: tensor<20000x1000xbf16>, %z: tensor<20000x1000xbf16>) -> tensor<20000x1000xbf16> {
  %0 = fuser.index_select %x, %i dim 1 : tensor<20000x3000xbf16>, tensor<1000xi64> -> tensor<20000x1000xbf16>
  %1 = fuser.add %0, %y : tensor<20000x1000xbf16>
  %2 = fuser.mul %1, %z : tensor<20000x1000xbf16>
  fuser.return %2 : tensor<20000x1000xbf16>
}

// Not if each element has an index of its own.
// CHECK-LABEL: fuser.kernel @own_indices
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2, inner_dims = 1>
fuser.kernel @own_indices(%x: tensor<20000x3000xbf16>, %i: tensor<20000x1000xi64>) -> tensor<20000x1000xbf16> {
  %0 = fuser.take_along_axis %x, %i dim 1 : tensor<20000x3000xbf16>, tensor<20000x1000xi64> -> tensor<20000x1000xbf16>
  fuser.return %0 : tensor<20000x1000xbf16>
}

// Not for rows at indices, which are read by wide vectors.
// CHECK-LABEL: fuser.kernel @gathered_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 63, vector = 8, unroll = 2, rows = 4, inner_dims = 1>
fuser.kernel @gathered_rows(%x: tensor<30000x1000xbf16>, %i: tensor<20000xi64>) -> tensor<20000x1000xbf16> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<30000x1000xbf16>, tensor<20000xi64> -> tensor<20000x1000xbf16>
  fuser.return %0 : tensor<20000x1000xbf16>
}

// Values of columns that are read at their own index: strips of 128 bytes of several rows.
// CHECK-LABEL: fuser.kernel @values_of_columns
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 8, vector = 8, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @values_of_columns(%x: tensor<20000x1000xbf16>, %w: tensor<1000xf32>, %b: tensor<1000xf32>) -> tensor<20000x1000xbf16> {
  %0 = fuser.cast %x : tensor<20000x1000xbf16> to tensor<20000x1000xf32>
  %1 = fuser.broadcast %w dims [0] : tensor<1000xf32> -> tensor<1x1000xf32>
  %2 = fuser.broadcast %b dims [0] : tensor<1000xf32> -> tensor<1x1000xf32>
  %3 = fuser.mul %0, %1 : (tensor<20000x1000xf32>, tensor<1x1000xf32>) -> tensor<20000x1000xf32>
  %4 = fuser.add %3, %2 : (tensor<20000x1000xf32>, tensor<1x1000xf32>) -> tensor<20000x1000xf32>
  %5 = fuser.cast %4 : tensor<20000x1000xf32> to tensor<20000x1000xbf16>
  fuser.return %5 : tensor<20000x1000xbf16>
}

// A function of values of rows and columns alone: threads have two vectors, and blocks whole rows.
// CHECK-LABEL: fuser.kernel @exponentials_of_differences
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 32, vector = 4, unroll = 2, rows = 8, inner_dims = 1, merge_grid = true>
fuser.kernel @exponentials_of_differences(%x: tensor<2048x256xf32>, %y: tensor<2048x256xf32>) -> tensor<2048x256x256xf32> {
  %0 = fuser.broadcast %x dims [2] : tensor<2048x256xf32> -> tensor<2048x256x1xf32>
  %1 = fuser.broadcast %y dims [1] : tensor<2048x256xf32> -> tensor<2048x1x256xf32>
  %2 = fuser.sub %0, %1 : (tensor<2048x256x1xf32>, tensor<2048x1x256xf32>) -> tensor<2048x256x256xf32>
  %3 = fuser.exp %2 : tensor<2048x256x256xf32>
  fuser.return %3 : tensor<2048x256x256xf32>
}

// A long one is limited by arithmetic, not by the values that it waits for.
// CHECK-LABEL: fuser.kernel @sines_of_differences
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 8, vector = 4, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @sines_of_differences(%x: tensor<2048x256xf32>, %y: tensor<2048x256xf32>) -> tensor<2048x256x256xf32> {
  %0 = fuser.broadcast %x dims [2] : tensor<2048x256xf32> -> tensor<2048x256x1xf32>
  %1 = fuser.broadcast %y dims [1] : tensor<2048x256xf32> -> tensor<2048x1x256xf32>
  %2 = fuser.sub %0, %1 : (tensor<2048x256x1xf32>, tensor<2048x1x256xf32>) -> tensor<2048x256x256xf32>
  %3 = fuser.sin %2 : tensor<2048x256x256xf32>
  fuser.return %3 : tensor<2048x256x256xf32>
}

// Values of rows are few bytes: they do not outweigh the matrix that the planes of a thread share.
// CHECK-LABEL: fuser.kernel @scales_of_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, inner_dims = 1, outer_dims = 1, repeats = 4>
fuser.kernel @scales_of_rows(%x: tensor<32x1024x1024xbf16>, %bias: tensor<1024x1024xf32>, %scale: tensor<32x1024xf32>) -> tensor<32x1024x1024xbf16> {
  %0 = fuser.broadcast %bias dims [0] : tensor<1024x1024xf32> -> tensor<1x1024x1024xf32>
  %1 = fuser.broadcast %scale dims [2] : tensor<32x1024xf32> -> tensor<32x1024x1xf32>
  %2 = fuser.cast %x : tensor<32x1024x1024xbf16> to tensor<32x1024x1024xf32>
  %3 = fuser.mul %2, %1 : (tensor<32x1024x1024xf32>, tensor<32x1024x1xf32>) -> tensor<32x1024x1024xf32>
  %4 = fuser.add %3, %0 : (tensor<32x1024x1024xf32>, tensor<1x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %5 = fuser.cast %4 : tensor<32x1024x1024xf32> to tensor<32x1024x1024xbf16>
  fuser.return %5 : tensor<32x1024x1024xbf16>
}

// Other elements do.
// CHECK-LABEL: fuser.kernel @scales_of_elements
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4, inner_dims = 2>
fuser.kernel @scales_of_elements(%x: tensor<32x1024x1024xbf16>, %bias: tensor<1024x1024xf32>, %scale: tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xbf16> {
  %0 = fuser.broadcast %bias dims [0] : tensor<1024x1024xf32> -> tensor<1x1024x1024xf32>
  %1 = fuser.cast %x : tensor<32x1024x1024xbf16> to tensor<32x1024x1024xf32>
  %2 = fuser.mul %1, %scale : tensor<32x1024x1024xf32>
  %3 = fuser.add %2, %0 : (tensor<32x1024x1024xf32>, tensor<1x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %4 = fuser.cast %3 : tensor<32x1024x1024xf32> to tensor<32x1024x1024xbf16>
  fuser.return %4 : tensor<32x1024x1024xbf16>
}

// Joined rows of more than a warp of full vectors share a block, so that fewer threads of warps do not exist.
// CHECK-LABEL: fuser.kernel @joined
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 75, vector = 8, rows = 2, inner_dims = 1, merge_grid = true>
fuser.kernel @joined(%x: tensor<100000x200xbf16>, %y: tensor<100000x200xbf16>, %z: tensor<100000x200xbf16>) -> tensor<100000x600xbf16> {
  %0 = fuser.cat %x, %y, %z dim 1 : (tensor<100000x200xbf16>, tensor<100000x200xbf16>, tensor<100000x200xbf16>) -> tensor<100000x600xbf16>
  fuser.return %0 : tensor<100000x600xbf16>
}
