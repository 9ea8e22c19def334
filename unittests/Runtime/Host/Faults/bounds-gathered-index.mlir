// An index that is data is used without asking whether it is inside.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.load inside of the 24 bytes of parameter 1, but got 4 bytes at offset 24
// LAUNCH: grid 1, block 8
// PARAMS: iota i32 8, in f32 6, out f32 8
!i32s = memref<2147483647xi32, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pidx: memref<i32>, %px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c6 = arith.constant 6 : index
    %idx = memref.reinterpret_cast %pidx to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %d = memref.load %idx[%t] : !i32s
    %i = arith.index_cast %d : i32 to index
    // CLEAN: %inside = arith.cmpi ult, %i, %c6 : index
    %inside = arith.constant true // FAULT
    scf.if %inside {
      %v = memref.load %x[%i] : !f32s // HERE
      memref.store %v, %y[%t] : !f32s
    }
    gpu.return
  }
}
