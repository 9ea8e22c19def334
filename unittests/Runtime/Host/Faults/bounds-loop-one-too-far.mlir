// A loop runs to its bound and not before it.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.load inside of the 64 bytes of parameter 0, but got 4 bytes at offset 64
// LAUNCH: grid 1, block 1
// PARAMS: in f32 16, out f32 17
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    // CLEAN: %end = arith.constant 16 : index
    %end = arith.constant 17 : index // FAULT
    scf.for %i = %c0 to %end step %c1 {
      %v = memref.load %x[%i] : !f32s // HERE
      memref.store %v, %y[%i] : !f32s
    }
    gpu.return
  }
}
