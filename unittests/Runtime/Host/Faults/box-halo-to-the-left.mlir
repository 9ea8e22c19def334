// The part begins at element 4, but its first element needs the one before it.
// EXPECT: BoxViolation
// MESSAGE: expected memref.load inside of the box of parameter 0 (sizes [8], strides [1], 32 bytes), but got 4 bytes at offset -4
// LAUNCH: grid 1, block 8
// PARAMS: in f32 16 box 8 at 4, out f32 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %i = arith.addi %t, %c4 : index
    %i = arith.addi %t, %c3 : index // FAULT
    %v = memref.load %x[%i] : !f32s // HERE
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
