// The halves of a warp store at different places.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the warp at one store of matrices, but got fuser_gpu.stmatrix while thread (0, 0, 0) waits at fuser_gpu.stmatrix
// LAUNCH: grid 1, block 32
// PARAMS: in bf16 256, out bf16 256
!bf16s = memref<2147483647xbf16, strided<[1]>>
!tile = memref<256xbf16, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<bf16>, %py: memref<bf16>) workgroup(%s: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %last = arith.constant 31 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %back = arith.subi %last, %t : index
    %j = arith.muli %back, %c8 : index
    %v = vector.load %x[%i] : !bf16s, vector<8xbf16>
    // CLEAN: %half = arith.constant true
    %half = arith.cmpi ult, %t, %c16 : index // FAULT
    scf.if %half {
      fuser_gpu.stmatrix %v, %s[%i] : vector<8xbf16>, !tile
    } else {
      fuser_gpu.stmatrix %v, %s[%i] : vector<8xbf16>, !tile // HERE
    }
    gpu.barrier
    %r = vector.load %s[%j] : !tile, vector<8xbf16>
    vector.store %r, %y[%i] : !bf16s, vector<8xbf16>
    gpu.return
  }
}
