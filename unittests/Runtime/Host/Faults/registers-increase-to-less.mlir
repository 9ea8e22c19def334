// An increase to less registers than a thread has.
// EXPECT: InvalidLaunch
// MESSAGE: expected fuser_gpu.set_max_registers to increase the registers of a thread to at least the 168 that it has, but got 160
// LAUNCH: grid 1, block 384
// PARAMS: out f32 512
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: fuser_gpu.set_max_registers increase 168
    fuser_gpu.set_max_registers increase 160 // FAULT
    memref.store %one, %y[%t] : !f32s
    gpu.return
  }
}
