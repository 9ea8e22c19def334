// A value that all blocks have is stored by all of them.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.store of thread (N, N, N) of block (N, N, N), but no synchronisation of the grid is between them and both touch byte N of parameter N
// LAUNCH: grid 4, block 1
// PARAMS: out f32 1
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %b = gpu.block_id x
    // CLEAN: %first = arith.cmpi eq, %b, %c0 : index
    %first = arith.constant true // FAULT
    scf.if %first {
      memref.store %one, %y[%c0] : !f32s // HERE
    }
    gpu.return
  }
}
