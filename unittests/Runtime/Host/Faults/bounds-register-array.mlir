// A loop over the elements that a thread keeps runs one too far.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.store inside of the 4 elements of its buffer, but got element 4
// LAUNCH: grid 1, block 1
// PARAMS: in f32 8, out f32 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %array = memref.alloca() : memref<4xf32>
    // CLEAN: %end = arith.constant 4 : index
    %end = arith.constant 5 : index // FAULT
    scf.for %i = %c0 to %end step %c1 {
      %v = memref.load %x[%i] : !f32s
      memref.store %v, %array[%i] : memref<4xf32> // HERE
    }
    %w = memref.load %array[%c0] : memref<4xf32>
    memref.store %w, %y[%c0] : !f32s
    gpu.return
  }
}
