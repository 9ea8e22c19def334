// The last vector of a row whose length is no multiple of its width.
// EXPECT: OutOfBounds
// MESSAGE: expected vector.load inside of the 40 bytes of parameter 0, but got 16 bytes at offset 32
// LAUNCH: grid 1, block 3
// PARAMS: in f32 10, out f32 12
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 3, 1, 1>} {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    // CLEAN: %whole = arith.cmpi ult, %t, %c2 : index
    %whole = arith.cmpi ult, %t, %c3 : index // FAULT
    scf.if %whole {
      %v = vector.load %x[%i] : !f32s, vector<4xf32> // HERE
      vector.store %v, %y[%i] : !f32s, vector<4xf32>
    }
    gpu.return
  }
}
