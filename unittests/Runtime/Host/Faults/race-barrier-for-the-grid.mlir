// Blocks exchange values, but wait only for their own threads.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (0, 0, 0) of block (0, 0, 0), but no synchronisation of the grid is between them and both touch byte 0 of parameter 1
// LAUNCH: grid 3, block 2, cooperative
// PARAMS: zero i32 1, zero f32 3, out f32 6
!i32s = memref<2147483647xi32, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pc: memref<i32>, %pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.0 : f32
    %c = memref.reinterpret_cast %pc to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %one, %w[%b] : !f32s
    }
    // CLEAN: fuser_gpu.grid_sync %pc[] : memref<i32>
    gpu.barrier // FAULT
    %next = arith.addi %b, %c2 : index
    %j = arith.remui %next, %c3 : index
    %v = memref.load %w[%j] : !f32s // HERE
    %base = arith.muli %b, %c2 : index
    %i = arith.addi %base, %t : index
    memref.store %v, %y[%i] : !f32s
    gpu.return
  }
}
