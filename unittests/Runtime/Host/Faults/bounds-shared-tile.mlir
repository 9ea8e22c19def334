// A tile of 32 elements for a block of 40 threads.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.store inside of the 32 elements of its buffer, but got element 32
// LAUNCH: grid 1, block 40
gpu.module @m {
  gpu.func @k() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
    %c32 = arith.constant 32 : index
    %c40 = arith.constant 40 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    // CLEAN: %has = arith.cmpi ult, %t, %c32 : index
    %has = arith.cmpi ult, %t, %c40 : index // FAULT
    scf.if %has {
      memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    }
    gpu.return
  }
}
