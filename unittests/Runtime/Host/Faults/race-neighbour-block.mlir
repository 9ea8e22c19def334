// A block reads what another one writes in the same launch.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (N, N, N) of block (N, N, N), but no synchronisation of the grid is between them and both touch byte N of parameter N
// LAUNCH: grid 4, block 1
// PARAMS: zero f32 4, out f32 4
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %b = gpu.block_id x
    memref.store %one, %w[%b] : !f32s
    // CLEAN: %j = arith.addi %b, %c0 : index
    %next = arith.addi %b, %c3 : index // FAULT
    %j = arith.remui %next, %c4 : index // FAULT
    %v = memref.load %w[%j] : !f32s // HERE
    memref.store %v, %y[%b] : !f32s
    gpu.return
  }
}
