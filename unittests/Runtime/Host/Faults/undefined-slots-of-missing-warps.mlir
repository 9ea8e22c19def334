// A block of 2 warps sums the slots of 8.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.load to read what was written, but got byte 28 of the shared memory, which no thread of the block has written
// LAUNCH: grid 1, block 64
// PARAMS: out f32 1
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %lane = arith.remui %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %one, %s[%warp] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    // CLEAN: %slot = arith.remui %lane, %c2 : index
    %slot = arith.remui %lane, %c8 : index // FAULT
    %v = memref.load %s[%slot] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    %zero = arith.cmpi eq, %t, %c0 : index
    scf.if %zero {
      memref.store %v, %y[%c0] : !f32s
    }
    gpu.return
  }
}
