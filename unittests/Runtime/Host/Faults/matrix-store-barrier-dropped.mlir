// A matrix is read that other threads may not have stored.
// EXPECT: DataRace
// MESSAGE: expected vector.load to be ordered with fuser_gpu.stmatrix of thread (0, 0, 0), but no barrier is between them and both touch byte 0 of the shared memory
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
    fuser_gpu.stmatrix %v, %s[%i] : vector<8xbf16>, !tile
    // CLEAN: gpu.barrier
    %nothing = arith.constant 0 : index // FAULT
    %r = vector.load %s[%j] : !tile, vector<8xbf16> // HERE
    vector.store %r, %y[%i] : !bf16s, vector<8xbf16>
    gpu.return
  }
}
