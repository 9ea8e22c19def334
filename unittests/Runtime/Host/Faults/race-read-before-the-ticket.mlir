// Each block reads what the block before it wrote, but waits for the ticket of another one.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (N, N, N) of block (N, N, N), but no synchronisation of the grid is between them and both touch byte N of parameter N
// LAUNCH: grid 4, block 1
// PARAMS: zero i32 5, out f32 4, out f32 4
!i32s = memref<2147483647xi32, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pc: memref<i32>, %pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 1024 : i32
    %one = arith.constant 1.0 : f32
    %c = memref.reinterpret_cast %pc to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %b = gpu.block_id x
    memref.store %one, %w[%b] : !f32s
    %t = fuser_gpu.ticket %c[%b], %many : !i32s
    %later = arith.cmpi ne, %b, %c0 : index
    scf.if %later {
      %before = arith.subi %b, %c1 : index
      %next = arith.addi %b, %c1 : index
      // CLEAN: fuser_gpu.await %c[%before] : !i32s
      fuser_gpu.await %c[%b] : !i32s // FAULT
      %v = memref.load %w[%before] : !f32s // HERE
      memref.store %v, %y[%b] : !f32s
    }
    gpu.return
  }
}
