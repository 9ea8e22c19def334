// Only half of a warp stores.
// EXPECT: BarrierDivergence
// MESSAGE: expected lane 31 at fuser_gpu.stmatrix, which reads it, but the lane has returned
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
    // CLEAN: %stores = arith.constant true
    %stores = arith.cmpi ult, %t, %last : index // FAULT
    scf.if %stores {
      fuser_gpu.stmatrix %v, %s[%i] : vector<8xbf16>, !tile // HERE
      gpu.barrier
      %r = vector.load %s[%j] : !tile, vector<8xbf16>
      vector.store %r, %y[%i] : !bf16s, vector<8xbf16>
    }
    gpu.return
  }
}
