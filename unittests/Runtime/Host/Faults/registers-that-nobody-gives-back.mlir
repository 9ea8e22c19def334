// No warp group gives registers back.
// EXPECT: Deadlock
// MESSAGE: expected a thread that can go on, but of 384 threads 128 returned, 256 wait at fuser_gpu.set_max_registers; warp group 1 waits for 232 registers of each thread, of which it has 168, and 0 of the 64512 of the block are free; warp group 2 waits for 232 registers of each thread, of which it has 168, and 0 of the 64512 of the block are free
// LAUNCH: grid 1, block 384
// PARAMS: out f32 512
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %produces = arith.cmpi ult, %t, %c128 : index
    scf.if %produces {
      // CLEAN: fuser_gpu.set_max_registers decrease 40
      fuser_gpu.set_max_registers decrease 168 // FAULT
    } else {
      fuser_gpu.set_max_registers increase 232 // HERE
    }
    memref.store %one, %y[%t] : !f32s
    gpu.return
  }
}
