// Warps other than the first read columns of a transposed operand that threads have stored without a fence.
// EXPECT: DataRace
// MESSAGE: expected a fuser_gpu.fence_async between what the thread wrote to byte 32 of the shared memory and fuser_gpu.wgmma, which reads it
// LAUNCH: grid 1, block 128
// PARAMS: in bf16 2048, out f32 512
!bf16s = memref<2147483647xbf16, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
!lhs = memref<1024xbf16, #gpu.address_space<workgroup>>
!rhs = memref<256xbf16, #gpu.address_space<workgroup>>
#rows = #fuser_gpu.rows<32, transposed = false, pitch = 0>
#columns = #fuser_gpu.rows<128, transposed = true, pitch = 0>
gpu.module @m {
  gpu.func @k(%px: memref<bf16>, %py: memref<f32>) workgroup(%l: !lhs {llvm.align = 1024 : i64}, %r: !rhs {llvm.align = 1024 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %v = vector.load %x[%i] : !bf16s, vector<8xbf16>
    vector.store %v, %l[%i] : !lhs, vector<8xbf16>
    %e = memref.load %x[%t] : !bf16s
    memref.store %e, %r[%t] : !rhs
    %j = arith.addi %t, %c128 : index
    memref.store %e, %r[%j] : !rhs
    // The columns of a thread, whose places differ from row to row.
    %place = arith.remui %t, %c8 : index
    %row = arith.divui %t, %c8 : index
    %turn = arith.remui %row, %c8 : index
    %inRow = arith.xori %place, %turn : index
    %isOfFirstWarp = arith.cmpi ult, %inRow, %c2 : index
    // CLEAN: fuser_gpu.fence_async
    scf.if %isOfFirstWarp { fuser_gpu.fence_async } // FAULT
    gpu.barrier
    fuser_gpu.wgmma_fence
    %d = fuser_gpu.wgmma %l[%c0] rows #columns, %r[%c0] rows #rows, %zero : !lhs, !rhs, vector<4xf32> // HERE
    fuser_gpu.wgmma_commit
    %done = fuser_gpu.wgmma_wait 0 of %d : vector<4xf32>
    %o = arith.muli %t, %c4 : index
    vector.store %done, %y[%o] : !f32s, vector<4xf32>
    gpu.return
  }
}
