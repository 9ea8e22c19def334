// The counter of the last block does not begin at zero.
// EXPECT: UninitializedRead
// MESSAGE: expected fuser_gpu.ticket to read what was written, but got byte 0 of parameter 0, which is uninitialized
// LAUNCH: grid 2, block 32
// PARAMS: out i32 1, zero i32 1
!i32s = memref<2147483647xi32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pc: memref<i32>, %pz: memref<i32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = memref.reinterpret_cast %pc to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %z = memref.reinterpret_cast %pz to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %blocks = arith.constant 2 : i32
    // CLEAN: %last = fuser_gpu.last_block %pz[], %blocks : memref<i32>
    %last = fuser_gpu.last_block %pc[], %blocks : memref<i32> // FAULT
    gpu.return
  }
}
