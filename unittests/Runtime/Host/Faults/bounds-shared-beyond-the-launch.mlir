// A view of shared memory begins where what the launch asked for ends.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.store inside of the 0 static and 128 dynamic bytes of shared memory, but got 4 bytes at offset 1024
// LAUNCH: grid 1, block 32, shared 128
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    // CLEAN: %at = arith.constant 0 : index
    %at = arith.constant 1024 : index // FAULT
    %s = memref.view %bytes[%at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    gpu.return
  }
}
