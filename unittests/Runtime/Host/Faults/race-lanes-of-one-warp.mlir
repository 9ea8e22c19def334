// Lanes exchange values through shared memory as if a warp went in step.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.load of thread (0, 0, 0), but no barrier is between them and both touch byte 4 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : !f32s
    memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    // CLEAN: gpu.barrier
    %partner = arith.xori %t, %c1 : index
    %nothing = arith.constant 0 : index // FAULT
    %w = memref.load %s[%partner] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    memref.store %w, %y[%t] : !f32s
    gpu.return
  }
}
