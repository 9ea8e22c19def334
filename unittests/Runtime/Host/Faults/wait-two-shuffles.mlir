// The lanes of a warp are at two different shuffles.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the warp at one shuffle, but got fuser_gpu.shuffle while thread (0, 0, 0) waits at fuser_gpu.shuffle
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c16 = arith.constant 16 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %lane = arith.constant 16 : i32
    %v = memref.load %x[%t] : !f32s
    %low = arith.cmpi ult, %t, %c16 : index
    // CLEAN: %w = fuser_gpu.shuffle xor %v, %lane width 32 : f32
    %w = scf.if %low -> f32 { // FAULT
      %a = fuser_gpu.shuffle xor %v, %lane width 32 : f32 // FAULT
      scf.yield %a : f32 // FAULT
    } else { // FAULT
      %a = fuser_gpu.shuffle xor %v, %lane width 32 : f32 // HERE FAULT
      scf.yield %a : f32 // FAULT
    } // FAULT
    memref.store %w, %y[%t] : !f32s
    gpu.return
  }
}
