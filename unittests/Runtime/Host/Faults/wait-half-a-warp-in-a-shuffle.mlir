// Half of the warp shuffles while the other half waits at a barrier.
// EXPECT: Deadlock
// MESSAGE: expected a thread that can go on, but of 32 threads 0 returned, 16 wait at fuser_gpu.shuffle, 16 wait at gpu.barrier
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %lane = arith.constant 16 : i32
    %v = memref.load %x[%t] : !f32s
    // CLEAN: %low = arith.cmpi ult, %t, %c32 : index
    %low = arith.cmpi ult, %t, %c16 : index // FAULT
    scf.if %low {
      %w = fuser_gpu.shuffle xor %v, %lane width 32 : f32 // HERE
      memref.store %w, %y[%t] : !f32s
    }
    gpu.barrier
    gpu.return
  }
}
