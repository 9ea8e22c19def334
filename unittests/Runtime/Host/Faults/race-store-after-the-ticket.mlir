// A block's part of a sum is stored after the block has said that it is there.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (N, N, N) of block (N, N, N), but no synchronisation of the grid is between them and both touch byte N of parameter N
// LAUNCH: grid 4, block 32
// PARAMS: zero i32 1, out f32 4, out f32 1
!i32s = memref<2147483647xi32, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pc: memref<i32>, %pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %c = memref.reinterpret_cast %pc to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %blocks = arith.constant 4 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    // CLEAN: scf.if %first {
    // CLEAN:   memref.store %one, %w[%b] : !f32s
    // CLEAN: }
    %last = fuser_gpu.last_block %pc[], %blocks : memref<i32>
    scf.if %first { // FAULT
      memref.store %one, %w[%b] : !f32s // FAULT
    } // FAULT
    %both = arith.andi %last, %first : i1
    scf.if %both {
      %v = memref.load %w[%c0] : !f32s // HERE
      memref.store %v, %y[%c0] : !f32s
    }
    gpu.return
  }
}
