// A stencil reads the left neighbour of the first element.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.load inside of the 64 bytes of parameter 0, but got 4 bytes at offset -4
// LAUNCH: grid 1, block 16
// PARAMS: in f32 16, out f32 16
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %left = arith.subi %t, %c1 : index
    // CLEAN: %has = arith.cmpi ugt, %t, %c0 : index
    %has = arith.constant true // FAULT
    scf.if %has {
      %v = memref.load %x[%left] : !f32s // HERE
      memref.store %v, %y[%t] : !f32s
    }
    gpu.return
  }
}
