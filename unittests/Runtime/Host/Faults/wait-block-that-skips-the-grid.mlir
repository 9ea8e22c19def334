// Blocks without work do not come to the grid's synchronisation.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the grid at fuser_gpu.grid_sync, but thread (0, 0, 0) of block (2, 0, 0) returns without it
// LAUNCH: grid 3, block 2, cooperative
// PARAMS: zero i32 1
!i32s = memref<2147483647xi32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pc: memref<i32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c = memref.reinterpret_cast %pc to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %b = gpu.block_id x
    // CLEAN: %works = arith.cmpi ult, %b, %c3 : index
    %works = arith.cmpi ult, %b, %c2 : index // FAULT
    scf.if %works {
      fuser_gpu.grid_sync %pc[] : memref<i32> // HERE
    }
    gpu.return
  }
}
