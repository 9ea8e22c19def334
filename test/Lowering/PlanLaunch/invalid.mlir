// RUN: fuser-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch))"

fuser_loop.kernel @grids(%n: index from #fuser_gpu.size<0, 0>, %m: index from #fuser_gpu.size<1, 0>)
    stage loops index_bits 64 {
  fuser_loop.for %b to (symbol(%n)) on block_x {
  }
  // expected-error @+1 {{expected all loops on block_x to have one extent, or one that is provably the largest}}
  fuser_loop.for %b to (symbol(%m)) on block_x {
  }
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 64 x 32 x 1}}
fuser_loop.kernel @threads() stage loops index_bits 64 {
  fuser_loop.for %t to (64) on thread_x {
  }
  fuser_loop.for %t to (32) on thread_y {
  }
}
