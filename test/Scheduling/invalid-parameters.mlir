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
