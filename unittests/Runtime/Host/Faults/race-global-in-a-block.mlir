// Threads of a block exchange values through a workspace without a barrier.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.load of thread (N, N, N), but no barrier is between them and both touch byte N of parameter N
// LAUNCH: grid 2, block 32
// PARAMS: out f32 64, out f32 64
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c32 : index
    %i = arith.addi %base, %t : index
    memref.store %one, %w[%i] : !f32s
    // CLEAN: gpu.barrier
    %nothing = arith.constant 0 : index // FAULT
    %m = arith.subi %c31, %t : index
    %j = arith.addi %base, %m : index
    %v = memref.load %w[%j] : !f32s // HERE
    memref.store %v, %y[%i] : !f32s
    gpu.return
  }
}
