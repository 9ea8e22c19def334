// Two phases put different threads' values into one element, with nothing between them.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.store of thread (15, 0, 0), but no barrier is between them and both touch byte 64 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c31 = arith.constant 31 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    // CLEAN: gpu.barrier
    %m = arith.subi %c31, %t : index
    %nothing = arith.constant 0 : index // FAULT
    memref.store %one, %s[%m] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    %v = memref.load %s[%m] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%m] : !f32s
    gpu.return
  }
}
