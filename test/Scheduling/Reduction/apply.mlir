// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules | FileCheck %s
// The loop domains that the parameters of a reduction stand for.

// Rows by block; the load shares the loop over steps and stops before the unrolled one.
// CHECK-LABEL: fuser.kernel @inner
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>]
fuser.kernel @inner(%x: tensor<?x?xbf16>) -> tensor<?xbf16> attributes {
    schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 8, unroll = 4>} {
  // CHECK: fuser.set %x {{.*}}loop = [i0 @block_x, i6, i7 @unroll, i5 @thread_x, i3 @vectorize]{{.*}}inline_at = 2
  // CHECK: fuser.cast {{.*}}inline_at = 5
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  // CHECK: fuser.sum {{.*}}loop = [i0 @block_x, r6, r7 @unroll, r5 @thread_x, r3 @vectorize]{{.*}}inline_at = 1
  %sum = fuser.sum %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  // CHECK: fuser.cast {{.*}}loop = [i0 @block_x]{{.*}}inline_at = 1
  // CHECK: fuser.set {{.*}}loop = [i0 @block_x]{{.*}}memory = #fuser.memory<global>
  %0 = fuser.cast %sum : tensor<?xf32> to tensor<?xbf16>
  fuser.return %0 : tensor<?xbf16>
}

// -----

// Columns by block and lane, rows by step, unrolled (a whole step has no bounds checks), and by thread_y; splits over the second axis of the grid.
// CHECK-LABEL: fuser.kernel @outer
fuser.kernel @outer(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 16, vector = 4, unroll = 8, splits = 6>} {
  // CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @block_y, i{{[0-9]+}}, i{{[0-9]+}} @unswitch, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 4
  // An operand per column has no rows: it is loaded once.
  // CHECK: fuser.set %b {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.sub %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  // CHECK: fuser.sum {{.*}}loop = [i{{[0-9]+}} @block_x, r{{[0-9]+}} @block_y, r{{[0-9]+}}, r{{[0-9]+}} @unswitch, r{{[0-9]+}} @unroll, r{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 1
  // CHECK: fuser.set {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}memory = #fuser.memory<global>
  %2 = fuser.sum %1 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// -----

// Windows: a load has vectors across four of them, whose elements the sum reads from registers for four results at once.
// CHECK-LABEL: fuser.kernel @window
// CHECK-SAME: facts = [#fuser.fact<divisible 0[2], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 8>]
fuser.kernel @window(%x: tensor<?x2x?x2xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.reduction<pattern = window, vector = 4>} {
  // CHECK: fuser.set %x {{.*}}merge([[RESULT:i[0-9]+]], i3) -> [[BOTH:i[0-9]+]], split([[BOTH]], 8) -> (i{{[0-9]+}}, i{{[0-9]+}}), loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_x, i1 @unroll, i{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 2
  // CHECK: fuser.max {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_x, r1 @unroll, r3 @unroll, i{{[0-9]+}} @vectorize]
  // CHECK: fuser.set {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}memory = #fuser.memory<global>
  %0 = fuser.max %x dims [1, 3] : tensor<?x2x?x2xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// -----

// expected-error @below {{expected 2 to 16 adjacent elements of 32 bytes to be reduced, of at most 64 of a result}}
fuser.kernel @no_window(%x: tensor<?x?xbf16>) -> tensor<?xbf16> attributes {
    schedule = #fuser_sched.reduction<pattern = window, vector = 4>} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  fuser.return %0 : tensor<?xbf16>
}

// -----

// expected-error @below {{expected vectors of at most 1 results and of the elements of their windows, but got 4}}
fuser.kernel @odd_number_of_windows(%x: tensor<?x33x2xbf16>) -> tensor<?x33xbf16> attributes {
    schedule = #fuser_sched.reduction<pattern = window, vector = 4>} {
  %0 = fuser.max %x dims [2] : tensor<?x33x2xbf16> -> tensor<?x33xbf16>
  fuser.return %0 : tensor<?x33xbf16>
}

// -----

// Tiles: loads have vectors along the reduced dimension, which the sum reads from registers for several results.
// CHECK-LABEL: fuser.kernel @tile
fuser.kernel @tile(%x: tensor<4000x32xf32>, %y: tensor<402x32xf32>) -> tensor<4000x402xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 2, unroll = 4>} {
  // CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, b{{[0-9]+}} @thread_x, i{{[0-9]+}}, i{{[0-9]+}} @unroll, b{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 4
  // CHECK: fuser.set %y {{.*}}loop = [i{{[0-9]+}} @block_x, b{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}}, b{{[0-9]+}} @unroll, i{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 4
  // CHECK: fuser.sum {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, r{{[0-9]+}}, r{{[0-9]+}} @unroll, i{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]
  // CHECK: fuser.set {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]{{.*}}memory = #fuser.memory<global>
  %0 = fuser.broadcast %x dims [1] : tensor<4000x32xf32> -> tensor<4000x1x32xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<402x32xf32> -> tensor<1x402x32xf32>
  %2 = fuser.mul %0, %1 : (tensor<4000x1x32xf32>, tensor<1x402x32xf32>) -> tensor<4000x402x32xf32>
  %3 = fuser.sum %2 dims [2] : tensor<4000x402x32xf32> -> tensor<4000x402xf32>
  fuser.return %3 : tensor<4000x402xf32>
}

// -----

// Rows that the tile does not divide: a version of each step without bounds checks.
// CHECK-LABEL: fuser.kernel @tile_of_odd_rows
fuser.kernel @tile_of_odd_rows(%x: tensor<4001x32xf32>, %y: tensor<402x32xf32>) -> tensor<4001x402xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 2, unroll = 4>} {
  // CHECK: fuser.sum {{.*}}@thread_x, r{{[0-9]+}}, r{{[0-9]+}} @unswitch, r{{[0-9]+}} @unroll,
  %0 = fuser.broadcast %x dims [1] : tensor<4001x32xf32> -> tensor<4001x1x32xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<402x32xf32> -> tensor<1x402x32xf32>
  %2 = fuser.mul %0, %1 : (tensor<4001x1x32xf32>, tensor<1x402x32xf32>) -> tensor<4001x402x32xf32>
  %3 = fuser.sum %2 dims [2] : tensor<4001x402x32xf32> -> tensor<4001x402xf32>
  fuser.return %3 : tensor<4001x402xf32>
}

// -----

// expected-error @below {{expected results of 4 x 4 that share what they read}}
fuser.kernel @no_tile(%x: tensor<400x400x32xf32>) -> tensor<400x400xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 4, unroll = 4>} {
  %0 = fuser.sum %x dims [2] : tensor<400x400x32xf32> -> tensor<400x400xf32>
  fuser.return %0 : tensor<400x400xf32>
}

// -----

// expected-error @below {{expected vectors of at most 2 results, but got 4}}
fuser.kernel @too_wide_a_tile(%x: tensor<4000x32xf32>, %y: tensor<402x32xf32>) -> tensor<4000x402xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = tile, threads_x = 8, threads_y = 16, vector = 4>} {
  %0 = fuser.broadcast %x dims [1] : tensor<4000x32xf32> -> tensor<4000x1x32xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<402x32xf32> -> tensor<1x402x32xf32>
  %2 = fuser.mul %0, %1 : (tensor<4000x1x32xf32>, tensor<1x402x32xf32>) -> tensor<4000x402x32xf32>
  %3 = fuser.sum %2 dims [2] : tensor<4000x402x32xf32> -> tensor<4000x402xf32>
  fuser.return %3 : tensor<4000x402xf32>
}

// -----

// Everything: the result has no loops.
// CHECK-LABEL: fuser.kernel @full
fuser.kernel @full(%x: tensor<?x?xf32>) -> tensor<f32> attributes {
    schedule = #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 4, unroll = 4, splits = 528>} {
  // CHECK: fuser.sum {{.*}}loop = [r{{[0-9]+}} @block_x, r{{[0-9]+}}, r{{[0-9]+}} @unroll, r{{[0-9]+}} @thread_x, r{{[0-9]+}} @vectorize]
  // CHECK: fuser.set {{.*}}loop = []
  %0 = fuser.sum %x dims [0, 1] : tensor<?x?xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// An output beside what is reduced has loops of at least one iteration, which is stated again with the parameters.
// CHECK-LABEL: fuser.kernel @output_beside
// CHECK-SAME: facts = [#fuser.fact<at_least 0[0], 1>]
fuser.kernel @output_beside(%x: tensor<?xf32>, %y: tensor<1xf32>) -> (tensor<f32>, tensor<1xf32>) attributes {
    schedule = #fuser_sched.reduction<pattern = inner, threads_x = 128, vector = 1, unroll = 1>} {
  %0 = fuser.sub %x, %y : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %1 = fuser.exp %y : tensor<1xf32>
  %2 = fuser.mean %0 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %2, %1 : tensor<f32>, tensor<1xf32>
}

// -----

// Does not apply another pattern's parameters.
// expected-error @below {{expected a schedule of pattern 'inner', but got 'outer'}}
fuser.kernel @other_pattern(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = outer>} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
