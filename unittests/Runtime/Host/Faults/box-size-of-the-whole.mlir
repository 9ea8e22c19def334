// A kernel for a part of a tensor takes the size of the whole for its own.
// EXPECT: BoxViolation
// MESSAGE: expected memref.load inside of the box of parameter 0 (sizes [30], strides [1], 120 bytes), but got 4 bytes at offset 120
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32 box 30, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c30 = arith.constant 30 : index
    %c32 = arith.constant 32 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %inside = arith.cmpi ult, %t, %c30 : index
    %inside = arith.cmpi ult, %t, %c32 : index // FAULT
    scf.if %inside {
      %v = memref.load %x[%t] : !f32s // HERE
      memref.store %v, %y[%t] : !f32s
    }
    gpu.return
  }
}
