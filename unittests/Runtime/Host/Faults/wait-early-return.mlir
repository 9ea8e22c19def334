// Threads beyond the end return before a barrier that the others come to.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the block at gpu.barrier, but thread (40, 0, 0) returns without it
// LAUNCH: grid 1, block 64
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c40 = arith.constant 40 : index
    %t = gpu.thread_id x
    %inside = arith.cmpi ult, %t, %c40 : index
    // CLEAN: gpu.barrier
    cf.cond_br %inside, ^go, ^end
    ^go:
    gpu.barrier // FAULT
    cf.br ^end
    ^end:
    gpu.return
  }
}
