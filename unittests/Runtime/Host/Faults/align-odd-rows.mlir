// Rows of 5 elements are stored in vectors of 4, as if every row began at a multiple of 16 bytes.
// EXPECT: AlignmentMismatch
// MESSAGE: expected an address that is a multiple of 16 bytes at vector.store, but got an address
// LAUNCH: grid 2, block 1
// PARAMS: out f32 16
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %b = gpu.block_id x
    %v = vector.broadcast %one : f32 to vector<4xf32>
    // CLEAN: %i = arith.muli %b, %c8 : index
    %i = arith.muli %b, %c5 : index // FAULT
    vector.store %v, %y[%i] {alignment = 16 : i64} : !f32s, vector<4xf32> // HERE
    gpu.return
  }
}
