// A stencil overwrites what its neighbour still reads.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.load of thread (0, 0, 0), but no barrier is between them and both touch byte 4 of parameter 0 (sizes [17], strides [1], 68 bytes)
// LAUNCH: grid 1, block 16
// PARAMS: in f32 17 box 17 written
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %n = arith.addi %t, %c1 : index
    %v = memref.load %x[%n] : !f32s
    // CLEAN: gpu.barrier
    %nothing = arith.constant 0 : index // FAULT
    memref.store %v, %x[%t] : !f32s // HERE
    gpu.return
  }
}
