// The predicate of the store is off by one, so that the last element of the tile stays empty.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.load to read what was written, but got byte 124 of the shared memory, which no thread of the block has written
// LAUNCH: grid 1, block 32
// PARAMS: out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %has = arith.cmpi ult, %t, %c32 : index
    %has = arith.cmpi ult, %t, %c31 : index // FAULT
    scf.if %has {
      memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %m = arith.subi %c31, %t : index
    %v = memref.load %s[%m] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
