// A matrix of 7 rows and 5 columns is indexed with the number of rows as its pitch.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.load inside of the 140 bytes of parameter 0, but got 4 bytes at offset 140
// LAUNCH: grid 7, block 5
// PARAMS: in f32 35, out f32 35
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 5, 1, 1>} {
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    // CLEAN: %row = arith.muli %b, %c5 : index
    %row = arith.muli %b, %c7 : index // FAULT
    %i = arith.addi %row, %t : index
    %v = memref.load %x[%i] : !f32s // HERE
    %good = arith.muli %b, %c5 : index
    %o = arith.addi %good, %t : index
    memref.store %v, %y[%o] : !f32s
    gpu.return
  }
}
