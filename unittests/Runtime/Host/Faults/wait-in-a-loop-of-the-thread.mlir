// A barrier in a loop whose length depends on the thread.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the block at gpu.barrier, but thread (0, 0, 0) returns without it
// LAUNCH: grid 1, block 32
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    // CLEAN: %count = arith.constant 3 : index
    %count = arith.remui %t, %c3 : index // FAULT
    scf.for %k = %c0 to %count step %c1 {
      gpu.barrier // HERE
    }
    gpu.return
  }
}
