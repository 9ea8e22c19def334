// A tile in shared memory begins behind 4 bytes of something else.
// EXPECT: AlignmentMismatch
// MESSAGE: expected an address that is a multiple of 16 bytes at vector.store, but got an address
// LAUNCH: grid 1, block 2, shared 64
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    // CLEAN: %at = arith.constant 16 : index
    %at = arith.constant 4 : index // FAULT
    %s = memref.view %bytes[%at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %v = vector.broadcast %one : f32 to vector<4xf32>
    %i = arith.muli %t, %c4 : index
    vector.store %v, %s[%i] {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32> // HERE
    gpu.return
  }
}
