// An index of one buffer in shared memory runs into the buffer behind it, where it does no harm to see.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.store inside of the 16 elements of its buffer, but got element 16
// LAUNCH: grid 1, block 16, shared 128
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
    // CLEAN: %i = arith.addi %t, %c0 : index
    %i = arith.addi %t, %c1 : index // FAULT
    memref.store %one, %a[%i] : memref<16xf32, #gpu.address_space<workgroup>> // HERE
    gpu.return
  }
}
