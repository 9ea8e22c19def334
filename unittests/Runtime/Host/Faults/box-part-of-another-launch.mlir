// Of an output that several launches fill, one writes the part of the next.
// EXPECT: BoxViolation
// MESSAGE: expected memref.store inside of the box of parameter 0 (sizes [8], strides [1], 32 bytes), but got 4 bytes at offset 32
// LAUNCH: grid 1, block 8
// PARAMS: out f32 16 box 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %i = arith.addi %t, %c0 : index
    %i = arith.addi %t, %c8 : index // FAULT
    memref.store %one, %y[%i] : !f32s // HERE
    gpu.return
  }
}
