// The last row of a matrix is beyond the tile.
// EXPECT: OutOfBounds
// MESSAGE: expected fuser_gpu.stmatrix inside of the 256 elements of its buffer, but got elements 256 to 263
// LAUNCH: grid 1, block 32
// PARAMS: in bf16 256, out bf16 256
!bf16s = memref<2147483647xbf16, strided<[1]>>
!tile = memref<256xbf16, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<bf16>, %py: memref<bf16>) workgroup(%s: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c8 = arith.constant 8 : index
    %last = arith.constant 31 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %back = arith.subi %last, %t : index
    %j = arith.muli %back, %c8 : index
    %v = vector.load %x[%i] : !bf16s, vector<8xbf16>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    // CLEAN: %next = arith.addi %t, %zero : index
    %next = arith.addi %t, %one : index // FAULT
    %at = arith.muli %next, %c8 : index
    fuser_gpu.stmatrix %v, %s[%at] : vector<8xbf16>, !tile // HERE
    gpu.barrier
    %r = vector.load %s[%j] : !tile, vector<8xbf16>
    vector.store %r, %y[%i] : !bf16s, vector<8xbf16>
    gpu.return
  }
}
