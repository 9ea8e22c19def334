// A vector that begins in the middle of a thread's array is longer than the rest of it.
// EXPECT: OutOfBounds
// MESSAGE: expected vector.store inside of the 6 elements of its buffer, but got elements 3 to 6
// LAUNCH: grid 1, block 1
// PARAMS: out f32 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %array = memref.alloca() : memref<6xf32>
    %v = vector.broadcast %one : f32 to vector<4xf32>
    // CLEAN: %at = arith.constant 2 : index
    %at = arith.constant 3 : index // FAULT
    vector.store %v, %array[%at] : memref<6xf32>, vector<4xf32> // HERE
    %w = vector.load %array[%at] : memref<6xf32>, vector<1xf32>
    vector.store %w, %y[%c0] : !f32s, vector<1xf32>
    gpu.return
  }
}
