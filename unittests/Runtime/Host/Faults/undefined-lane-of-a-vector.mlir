// Three elements are stored and four are read.
// EXPECT: UninitializedRead
// MESSAGE: expected vector.load to read what was written, but got byte 12 of parameter 0, which is uninitialized
// LAUNCH: grid 1, block 1
// PARAMS: out f32 4, out f32 4
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    // CLEAN: %end = arith.constant 4 : index
    %end = arith.constant 3 : index // FAULT
    scf.for %k = %c0 to %end step %c1 {
      memref.store %one, %w[%k] : !f32s
    }
    %v = vector.load %w[%c0] : !f32s, vector<4xf32> // HERE
    vector.store %v, %y[%c0] : !f32s, vector<4xf32>
    gpu.return
  }
}
