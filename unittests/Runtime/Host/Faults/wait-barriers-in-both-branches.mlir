// Both branches wait, but at different barriers.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the block at one barrier, but got gpu.barrier while thread (0, 0, 0) waits at gpu.barrier
// LAUNCH: grid 2, block 64
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
    } else {
      gpu.barrier // HERE FAULT
    }
    gpu.return
  }
}
