// The even threads wait, the others are done.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the block at gpu.barrier, but thread (1, 0, 0) returns without it
// LAUNCH: grid 1, block 64
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %r = arith.remui %t, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    // CLEAN: gpu.barrier
    scf.if %even {
      gpu.barrier // FAULT
    }
    gpu.return
  }
}
