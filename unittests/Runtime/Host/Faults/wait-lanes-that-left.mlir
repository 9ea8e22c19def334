// Lanes beyond the end return, and the others read them.
// EXPECT: BarrierDivergence
// MESSAGE: expected lane 20 at fuser_gpu.shuffle, which reads it, but the lane has returned
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c20 = arith.constant 20 : index
    %c32 = arith.constant 32 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %lane = arith.constant 16 : i32
    // CLEAN: %inside = arith.cmpi ult, %t, %c32 : index
    %inside = arith.cmpi ult, %t, %c20 : index // FAULT
    scf.if %inside {
      %v = memref.load %x[%t] : !f32s
      %w = fuser_gpu.shuffle xor %v, %lane width 32 : f32 // HERE
      memref.store %w, %y[%t] : !f32s
    }
    gpu.return
  }
}
