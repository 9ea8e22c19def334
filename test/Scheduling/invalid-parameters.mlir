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

// expected-error @below {{expected 'threads' to be a multiple of 32, or a power of two below it, but got 48}}
#a = #fuser_sched.inner_persistent<threads = 48>

// -----

// expected-error @below {{expected 'vectors' between 1 and 32, but got 33}}
#a = #fuser_sched.inner_persistent<vectors = 33>

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

// expected-error @below {{expected 'tile_in' between 8 and 256, but got 4}}
#a = #fuser_sched.transpose<tile_in = 4>

// -----

// expected-error @below {{expected 'tile_out' to be a power of two, but got 48}}
#a = #fuser_sched.transpose<tile_out = 48>

// -----

// expected-error @below {{expected vectors of at most a tile's row}}
#a = #fuser_sched.transpose<tile_in = 8, vector_in = 16>

// -----

// expected-error @below {{expected 'blocks' between 1 and 65535, but got 0}}
#a = #fuser_sched.inner_outer<blocks = 0>

// -----

// expected-error @below {{expected 'threads' to be a multiple of 32, but got 48}}
#a = #fuser_sched.inner_outer<threads = 48>

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
