// The rows of a matrix begin at multiples of 8 bytes.
// EXPECT: AlignmentMismatch
// MESSAGE: expected an address that is a multiple of 16 bytes at fuser_gpu.stmatrix, but got an address
// LAUNCH: grid 1, block 32
// PARAMS: in bf16 256, out bf16 256
!bf16s = memref<2147483647xbf16, strided<[1]>>
!tile = memref<256xbf16, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<bf16>, %py: memref<bf16>) workgroup(%s: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    %c8 = arith.constant 8 : index
    %last = arith.constant 31 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %back = arith.subi %last, %t : index
    %j = arith.muli %back, %c8 : index
    %v = vector.load %x[%i] : !bf16s, vector<8xbf16>
    // CLEAN: %at = arith.remui %i, %c256 : index
    %at = arith.divui %i, %c2 : index // FAULT
    fuser_gpu.stmatrix %v, %s[%at] : vector<8xbf16>, !tile // HERE
    gpu.barrier
    %r = vector.load %s[%j] : !tile, vector<8xbf16>
    vector.store %r, %y[%i] : !bf16s, vector<8xbf16>
    gpu.return
  }
}
