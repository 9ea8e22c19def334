// A split by 4 that leaves a remainder: the guard takes the number of groups for the size.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.load inside of the 120 bytes of parameter 0, but got 4 bytes at offset 120
// LAUNCH: grid 1, block 8
// PARAMS: in f32 30, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c4 step %c1 {
      %group = arith.muli %t, %c4 : index
      %i = arith.addi %group, %k : index
      // CLEAN: %inside = arith.cmpi ult, %i, %c30 : index
      %inside = arith.cmpi ult, %t, %c8 : index // FAULT
      scf.if %inside {
        %v = memref.load %x[%i] : !f32s // HERE
        memref.store %v, %y[%i] : !f32s
      }
    }
    gpu.return
  }
}
