// Threads store two elements each, but lie one apart.
// EXPECT: DataRace
// MESSAGE: expected vector.store to be ordered with vector.store of thread (0, 0, 0), but no barrier is between them and both touch byte 4 of the shared memory
// LAUNCH: grid 1, block 16
gpu.module @m {
  gpu.func @k() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %v = vector.broadcast %one : f32 to vector<2xf32>
    // CLEAN: %i = arith.muli %t, %c2 : index
    %i = arith.muli %t, %c1 : index // FAULT
    vector.store %v, %s[%i] : memref<32xf32, #gpu.address_space<workgroup>>, vector<2xf32> // HERE
    gpu.return
  }
}
