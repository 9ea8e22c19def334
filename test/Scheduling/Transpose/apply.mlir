// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules | FileCheck %s
// The loops of loads, tile and store.

// CHECK-LABEL: fuser.kernel @tiles
// The transposed input: vectors along its own rows, then a tile whose chunks are permuted by the row.
// All of a tile is moved without bounds checks where it exists.
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unswitch, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize], allocation = [i0, i1]>], inline_at = 2
// CHECK: %[[T:.*]] = fuser.set %[[X]] {{.*}}swizzle(i{{[0-9]+}}, i{{[0-9]+}}, 8){{.*}}inline_at = 1 : i64, memory = #fuser.memory<shared>
// The other input is read as the output is written.
// CHECK: fuser.set %y {{.*}}inline_at = 2
// CHECK: fuser.permute %[[T]] [1, 0] {{.*}}inline_at = 5
// CHECK: fuser.set {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unswitch, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}memory = #fuser.memory<global>
fuser.kernel @tiles(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 8, vector_out = 8>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fuser.add %0, %y : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// -----

// A function of several arguments is computed in vectors along their rows, and only its result passes through a tile: one
// instead of two. Adjacent blocks lie along the output's rows.
// CHECK-LABEL: fuser.kernel @sum
// CHECK: %[[A:.*]] = fuser.set %x {{.*}}merge(i4, i2) -> i{{[0-9]+}}, loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize], allocation = [i0, i1]>]
// CHECK: %[[B:.*]] = fuser.set %y
// CHECK: %[[S:.*]] = fuser.add %[[A]], %[[B]]
// CHECK: %[[P:.*]] = fuser.permute %[[S]] [1, 0]
// CHECK: %[[T:.*]] = fuser.set %[[P]] {{.*}}swizzle(i{{[0-9]+}}, i{{[0-9]+}}, 8){{.*}}memory = #fuser.memory<shared>
// CHECK-NOT: memory<shared>
// CHECK: fuser.set %[[T]] {{.*}}merge(i4, i2) -> {{.*}}memory = #fuser.memory<global>
fuser.kernel @sum(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.transpose<vector_in = 8, vector_out = 8, adjacent_in = true>} {
  %0 = fuser.add %x, %y : tensor<?x?xbf16>
  %1 = fuser.permute %0 [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// -----

// Few accesses of a thread are checked one by one. A side may have any number of elements.
// CHECK-LABEL: fuser.kernel @exact
// CHECK: fuser.set %x {{.*}}split(i0, 3) -> {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x]
fuser.kernel @exact(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 192, tile_in = 128, tile_out = 3>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// -----

// Rows of the input that are no power of two: the tile has them along its columns, swizzled.
// CHECK-LABEL: fuser.kernel @columns
// CHECK: fuser.set %x
// CHECK: fuser.set {{.*}}split(i1, 6) -> (i2, i3), split(i0, 512) -> (i4, i5), {{.*}}swizzle(i3, i5, 1) -> (i12, i13), {{.*}}allocation = [i2, i4, i12, i13]>{{.*}}memory = #fuser.memory<shared>
fuser.kernel @columns(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 384, tile_in = 6, tile_out = 512>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// -----

// Of an odd number of elements: the elements of a column are in different banks as they are.
// CHECK-LABEL: fuser.kernel @odd_rows
// CHECK: fuser.set %x
// CHECK: fuser.set {{.*}}split(i1, 33) -> (i2, i3), split(i0, 64) -> (i4, i5), {{.*}}allocation = [i2, i4, i5, i3]>{{.*}}memory = #fuser.memory<shared>
// CHECK-NOT: swizzle
fuser.kernel @odd_rows(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 264, tile_in = 33, tile_out = 64>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// -----

// Vectors of 4 cross the ends of rows of 33 elements, which the output has next to each other. The tile in shared memory
// has them so as well, without a swizzle.
// CHECK-LABEL: fuser.kernel @crossed
// CHECK: fuser.set %x {{.*}}i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x]
// CHECK: fuser.set {{.*}}split(i1, 64) -> (i2, i3), split(i0, 33) -> (i4, i5), {{.*}}allocation = [i2, i4, i3, i5]>{{.*}}memory = #fuser.memory<shared>
// CHECK: fuser.permute {{.*}}merge(i3, i5) -> i6, split(i6, 4) -> (i7, i8), {{.*}}i8 @vectorize]
fuser.kernel @crossed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    facts = [#fuser.fact<at_least 0[0], 33>, #fuser.fact<at_most 0[0], 33>],
    schedule = #fuser_sched.transpose<threads = 512, tile_in = 64, tile_out = 33, vector_out = 4>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// expected-error @below {{expected vectors that cross the ends of rows to have at most 4 elements, and rows of 33, but got vectors of 4}}
fuser.kernel @crossed_rows_of_unknown_length(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.transpose<threads = 512, tile_in = 64, tile_out = 33, vector_out = 4>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// A thread has two results of each of four pixels: a vector along the argument's rows for each of the two, then vectors over
// both, which are gathered from its registers.
// CHECK-LABEL: fuser.kernel @registers
// CHECK-SAME: facts = [#fuser.fact<divisible 0[2], 4>, #fuser.fact<aligned 0, 8>, #fuser.fact<aligned 1, 16>]
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}split(i2, 4) -> ([[CHUNK:i[0-9]+]], [[PIXEL:i[0-9]+]]), merge(i0, [[CHUNK]]) -> [[ALL:i[0-9]+]], split([[ALL]], 256) -> ([[BLOCK:i[0-9]+]], [[THREAD:i[0-9]+]]), loop = {{\[}}[[BLOCK]] @block_x, [[THREAD]] @thread_x, i1 @unroll, [[PIXEL]] @vectorize], {{.*}}inline_at = 2
// CHECK: fuser.permute %[[X]] {{.*}}i{{[0-9]+}} @thread_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]
// CHECK-NOT: shared
// CHECK: fuser.set {{.*}}split(i1, 4) -> (i{{[0-9]+}}, [[PIXEL:i[0-9]+]]){{.*}}merge([[PIXEL]], i2) -> [[BOTH:i[0-9]+]], split([[BOTH]], 8)
fuser.kernel @registers(%x: tensor<?x2x?xbf16>) -> tensor<?x?x2xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 4, vector_out = 8, in_registers = true>} {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x2x?xbf16> -> tensor<?x?x2xbf16>
  fuser.return %0 : tensor<?x?x2xbf16>
}

// -----

// The long side has two vectors, of threads of two blocks; all loads come before the first use. The result is stored by a
// vector for each channel.
// CHECK-LABEL: fuser.kernel @registers_of_results
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}i{{[0-9]+}} @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 1
// CHECK: fuser.set {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i1 @unroll, i{{[0-9]+}} @vectorize]{{.*}}memory = #fuser.memory<global>
fuser.kernel @registers_of_results(%x: tensor<?x?x2xbf16>) -> tensor<?x2x?xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 128, tile_in = 2, tile_out = 4, vector_in = 4, vector_out = 2, in_registers = true>} {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x?x2xbf16> -> tensor<?x2x?xbf16>
  fuser.return %0 : tensor<?x2x?xbf16>
}

// -----

// expected-error @below {{expected a side of the tile that is all of 2 to 8 adjacent elements, and vectors along the other side, but got a tile of 4 x 2}}
fuser.kernel @no_short_side(%x: tensor<?x3x?xbf16>) -> tensor<?x?x3xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 4, vector_out = 8, in_registers = true>} {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x3x?xbf16> -> tensor<?x?x3xbf16>
  fuser.return %0 : tensor<?x?x3xbf16>
}

// -----

// expected-error @below {{expected vectors of at most 1 and 2 elements, but got 4 and 8}}
fuser.kernel @odd_rows_in_registers(%x: tensor<?x2x33xbf16>) -> tensor<?x33x2xbf16> attributes {
    schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 4, vector_out = 8, in_registers = true>} {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x2x33xbf16> -> tensor<?x33x2xbf16>
  fuser.return %0 : tensor<?x33x2xbf16>
}

// -----

// CHECK-LABEL: fuser.kernel @two_orders
// The value is stored in its own loops, and through a tile in vectors along the other dimension.
// CHECK: %[[R:.*]] = fuser.relu
// CHECK: fuser.set %[[R]] {{.*}}allocation = [i0, i1]>{{.*}}memory = #fuser.memory<global>
// CHECK: %[[T:.*]] = fuser.set %[[R]] {{.*}}swizzle(i{{[0-9]+}}, i{{[0-9]+}}, 8){{.*}}inline_at = 1 : i64, memory = #fuser.memory<shared>
// CHECK: fuser.set %[[T]] {{.*}}allocation = [i1, i0]>{{.*}}memory = #fuser.memory<global>
fuser.kernel @two_orders(%x: tensor<?x?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) attributes {
    output_orders = [array<i64: 0, 1>, array<i64: 1, 0>],
    schedule = #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 8, vector_out = 8>} {
  %0 = fuser.relu %x : tensor<?x?xbf16>
  fuser.return %0, %0 : tensor<?x?xbf16>, tensor<?x?xbf16>
}

// -----

// expected-error @below {{'fuser.kernel' op cannot be scheduled by 'transpose' [nothing-to-transpose]}}
fuser.kernel @nothing(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {schedule = #fuser_sched.transpose<>} {
  %0 = fuser.relu %x : tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// -----

// An argument without the dimension of its repetitions: each block has the tile of its place.
// CHECK-LABEL: fuser.kernel @repeated
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}broadcast() -> b3, {{.*}}loop = [i{{[0-9]+}} @block_x, {{.*}}@vectorize], allocation = [i0, i1, i2]>]
// CHECK: fuser.set %[[X]] {{.*}}broadcast() -> b3, {{.*}}allocation = [i0, {{.*}}memory = #fuser.memory<shared>
// CHECK: fuser.expand
fuser.kernel @repeated(%x: tensor<?x?x?xbf16>) -> tensor<?x3x?x?xbf16> attributes {
    arg_layouts = [#fuser.layout<order = [0, 2, 1]>], schedule = #fuser_sched.transpose<vector_in = 8, vector_out = 8>} {
  %0 = fuser.broadcast %x dims [1] : tensor<?x?x?xbf16> -> tensor<?x1x?x?xbf16>
  %1 = fuser.expand %0 : tensor<?x1x?x?xbf16> -> tensor<?x3x?x?xbf16>
  fuser.return %1 : tensor<?x3x?x?xbf16>
}
