// RUN: fuser-opt %s --split-input-file --verify-diagnostics -o /dev/null
// Both sides of each limit of the threads of a block.

fuser_loop.kernel @k() stage launched index_bits 64 threads [1024, 1, 1] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1025 x 1 x 1}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [1025, 1, 1] grid [1, 1, 1] {
}

// -----

fuser_loop.kernel @k() stage launched index_bits 64 threads [1, 1024, 1] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1 x 1025 x 1}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [1, 1025, 1] grid [1, 1, 1] {
}

// -----

fuser_loop.kernel @k() stage launched index_bits 64 threads [1, 1, 64] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1 x 1 x 65}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [1, 1, 65] grid [1, 1, 1] {
}

// -----

fuser_loop.kernel @k() stage launched index_bits 64 threads [32, 32, 1] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 33 x 32 x 1}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [33, 32, 1] grid [1, 1, 1] {
}

// -----

fuser_loop.kernel @k() stage launched index_bits 64 threads [16, 1, 64] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 17 x 1 x 64}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [17, 1, 64] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 0 x 1 x 1}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [0, 1, 1] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1 x 0 x 1}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [1, 0, 1] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1 x 1 x 0}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [1, 1, 0] grid [1, 1, 1] {
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 2 x -1 x -1}}
fuser_loop.kernel @k() stage launched index_bits 64 threads [2, -1, -1] grid [1, 1, 1] {
}
