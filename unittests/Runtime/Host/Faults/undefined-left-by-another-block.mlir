// Only the first block fills the tile that each block has of its own.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.load to read what was written, but got byte 124 of the shared memory, which no thread of the block has written
// LAUNCH: grid 2, block 32
// PARAMS: out f32 64
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    // CLEAN: %fills = arith.constant true
    %fills = arith.cmpi eq, %b, %c0 : index // FAULT
    scf.if %fills {
      memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %v = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    %base = arith.muli %b, %c32 : index
    %i = arith.addi %base, %t : index
    memref.store %v, %y[%i] : !f32s
    gpu.return
  }
}
