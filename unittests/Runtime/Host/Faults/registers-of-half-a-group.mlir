// The block has less than the 4 warps of a group.
// EXPECT: BarrierDivergence
// MESSAGE: expected the 4 warps of a warp group at fuser_gpu.set_max_registers, but the block has 3
// LAUNCH: grid 1, block 96
// PARAMS: out f32 512
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %nothing = arith.constant 0 : index
    fuser_gpu.set_max_registers decrease 40 // FAULT
    memref.store %one, %y[%t] : !f32s
    gpu.return
  }
}
