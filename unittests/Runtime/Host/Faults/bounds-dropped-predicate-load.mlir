// The last block reads beyond an input whose size its own does not divide.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.load inside of the 280 bytes of parameter 0, but got 4 bytes at offset 280
// LAUNCH: grid 3, block 32
// PARAMS: in f32 70, out f32 96
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c32 = arith.constant 32 : index
    %c70 = arith.constant 70 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c32 : index
    %i = arith.addi %base, %t : index
    // CLEAN: %inside = arith.cmpi ult, %i, %c70 : index
    %inside = arith.constant true // FAULT
    scf.if %inside {
      %v = memref.load %x[%i] : !f32s // HERE
      memref.store %v, %y[%i] : !f32s
    }
    gpu.return
  }
}
