// RUN: fuser-opt %s --split-input-file --verify-diagnostics
// Ranges of parameters.

// expected-error @below {{expected 'threads' between 1 and 1024, but got 2048}}
#a = #fuser_sched.pointwise<threads = 2048>

// -----

// expected-error @below {{expected 'vector' to be a power of two, but got 3}}
#a = #fuser_sched.pointwise<vector = 3>

// -----

// expected-error @below {{expected 'rows' x 'threads' to be at most 1024 threads, but got 16 x 128}}
#a = #fuser_sched.pointwise<rows = 16>

// -----

// expected-error @below {{expected 'threads_x' x 'threads_y' to be at most 1024 threads, but got 128 x 16}}
#a = #fuser_sched.reduction<pattern = inner, threads_y = 16>

// -----

// expected-error @below {{expected 'splits' between 1 and 65535, but got 0}}
#a = #fuser_sched.reduction<pattern = outer, splits = 0>

// -----

// expected-error @below {{expected 'unroll' between 1 and 1, but got 2}}
#a = #fuser_sched.reduction<pattern = window, unroll = 2>

// -----

// expected-error @below {{expected 'splits' between 1 and 1, but got 2}}
#a = #fuser_sched.reduction<pattern = tile, splits = 2>

// -----

// expected-error @below {{expected 'split_rows' only with pattern 'inner' and 'splits' above 1}}
#a = #fuser_sched.reduction<pattern = outer, splits = 2, split_rows = true>

// -----

// expected-error @below {{expected 'split_rows' only with pattern 'inner' and 'splits' above 1}}
#a = #fuser_sched.reduction<pattern = inner, split_rows = true>

// -----

// expected-error @below {{expected 'threads' to be a multiple of 32, or a power of two below it, but got 48}}
#a = #fuser_sched.inner_persistent<threads = 48>

// -----

// expected-error @below {{expected 'vectors' between 1 and 64, but got 65}}
#a = #fuser_sched.inner_persistent<vectors = 65>

// -----

// expected-error @below {{expected 'flat' between 1 and 16, but got 32}}
#a = #fuser_sched.inner_persistent<flat = 32>

// -----

// expected-error @below {{expected no 'flat' with 'cluster' or 'part', but got 8 with 2 and 1}}
#a = #fuser_sched.inner_persistent<cluster = 2, flat = 8>

// -----

// expected-error @below {{expected no 'flat' with 'cluster' or 'part', but got 8 with 1 and 2}}
#a = #fuser_sched.inner_persistent<part = 2, flat = 8>

// -----

// expected-error @below {{expected no 'flat' with pattern 'outer' or 'chained', but got 4}}
#a = #fuser_sched.scan<pattern = outer, flat = 4>

// -----

// expected-error @below {{expected no 'flat' with pattern 'outer' or 'chained', but got 4}}
#a = #fuser_sched.scan<pattern = inner, chained = true, flat = 4>

// -----

// expected-error @below {{expected 'threads' between 1 and 1024, but got 0}}
#a = #fuser_sched.single_op<threads = 0>

// -----

// expected-error @below {{expected 'vector' between 1 and 16, but got 32}}
#a = #fuser_sched.pointwise<vector = 32>

// -----

// expected-error @below {{expected 'outer_dims' to be 0 or more, but got -1}}
#a = #fuser_sched.pointwise<outer_dims = -1>

// -----

// expected-error @below {{expected 'inner_dims' to be -1 or more, but got -2}}
#a = #fuser_sched.pointwise<inner_dims = -2>

// -----

// expected-error @below {{expected 'tile_in' between 2 and 1024, but got 1}}
#a = #fuser_sched.transpose<tile_in = 1>

// -----

// expected-error @below {{expected whole vectors in a tile and, along one side, in each of its rows, but got rows of 2 and 31 elements with vectors of 1 and 4}}
#a = #fuser_sched.transpose<tile_in = 2, tile_out = 31, vector_out = 4>

// -----

// expected-error @below {{expected whole vectors in a tile and, along one side, in each of its rows, but got rows of 3 and 40 elements with vectors of 16 and 1}}
#a = #fuser_sched.transpose<tile_in = 3, tile_out = 40, vector_in = 16>

// -----

// expected-error @below {{expected whole vectors in a tile and, along one side, in each of its rows, but got rows of 12 and 12 elements with vectors of 8 and 8}}
#a = #fuser_sched.transpose<tile_in = 12, tile_out = 12, vector_in = 8, vector_out = 8>

// -----

// expected-error @below {{expected whole vectors in the elements of a thread, but got 4 x 2 elements with vectors of 8 and 8}}
#a = #fuser_sched.transpose<tile_in = 4, tile_out = 2, vector_in = 8, vector_out = 8, in_registers = true>

// -----

// expected-error @below {{expected 'blocks' between 1 and 65535, but got 0}}
#a = #fuser_sched.inner_outer<blocks = 0>

// -----

// expected-error @below {{expected 'threads' to be a power of two up to 32, or a multiple of 32, but got 48}}
#a = #fuser_sched.inner_outer<threads = 48>

// -----

// expected-error @below {{expected 'threads' x 'rows' to be at most 1024 threads, but got 64 x 32}}
#a = #fuser_sched.inner_outer<threads = 64, rows = 32>

// -----

// expected-error @below {{expected no 'flat' with pattern 'outer' or 'chained', but got 4}}
#a = #fuser_sched.scan<pattern = outer, flat = 4>

// -----

// expected-error @below {{expected no 'flat' with pattern 'outer' or 'chained', but got 4}}
#a = #fuser_sched.scan<pattern = inner, chained = true, flat = 4>

// -----

// expected-error @below {{expected 'threads' between 1 and 1024, but got 0}}
#a = #fuser_sched.single_op<threads = 0>

// -----

// expected-error @below {{expected 'rows' of at most 64, threads along z, next to a 'part', but got 128}}
#a = #fuser_sched.outer_persistent<rows = 128, columns = 1, part = 2>

// -----

// expected-error @below {{expected a block of at most 1024 threads ('rows' x 'columns' x 'part'), but got 2048}}
#a = #fuser_sched.outer_persistent<rows = 64, columns = 8, part = 4>

// -----

// expected-error @below {{expected one of 'columns' next to 'part' of 0, but got 8}}
#a = #fuser_sched.outer_persistent<part = 0>

// -----

// expected-error @below {{expected 'cluster' between 1 and 8, but got 9}}
#a = #fuser_sched.outer_persistent<cluster = 9>
