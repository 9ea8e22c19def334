// A swizzle that is no permutation: two threads get one element.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.store of thread (0, 0, 0), but no barrier is between them and both touch byte 20 of the shared memory
// LAUNCH: grid 1, block 32
gpu.module @m {
  gpu.func @k() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c5 = arith.constant 5 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    // CLEAN: %i = arith.xori %t, %c5 : index
    %i = arith.ori %t, %c5 : index // FAULT
    memref.store %one, %s[%i] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    gpu.return
  }
}
