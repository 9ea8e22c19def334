// Each thread reads what its neighbour has just written.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.load of thread (0, 0, 0), but no barrier is between them and both touch byte 4 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    // CLEAN: gpu.barrier
    %next = arith.addi %t, %c1 : index
    %n = arith.remui %next, %c32 : index
    %nothing = arith.constant 0 : index // FAULT
    %v = memref.load %s[%n] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
