// A part of 3 columns of a matrix of 8 is read 4 columns wide.
// EXPECT: BoxViolation
// MESSAGE: expected memref.load inside of the box of parameter 0 (sizes [2, 3], strides [8, 1], 44 bytes), but got 4 bytes at offset 12
// LAUNCH: grid 2, block 4
// PARAMS: in f32 16 box 2x3 by 8x1, out f32 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    // CLEAN: %inside = arith.cmpi ult, %t, %c3 : index
    %inside = arith.cmpi ult, %t, %c4 : index // FAULT
    %row = arith.muli %b, %c8 : index
    %i = arith.addi %row, %t : index
    %to = arith.muli %b, %c4 : index
    %o = arith.addi %to, %t : index
    scf.if %inside {
      %v = memref.load %x[%i] : !f32s // HERE
      memref.store %v, %y[%o] : !f32s
    }
    gpu.return
  }
}
