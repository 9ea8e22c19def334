// A vector begins at an element that its alignment does not allow.
// EXPECT: AlignmentMismatch
// MESSAGE: expected an address that is a multiple of 16 bytes at vector.load, but got an address
// LAUNCH: grid 1, block 1
// PARAMS: in f32 8, out f32 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    // CLEAN: %i = arith.constant 4 : index
    %i = arith.constant 1 : index // FAULT
    %v = vector.load %x[%i] {alignment = 16 : i64} : !f32s, vector<4xf32> // HERE
    vector.store %v, %y[%c0] : !f32s, vector<4xf32>
    gpu.return
  }
}
