// The thread returns while a copy reads shared memory.
// EXPECT: DataRace
// MESSAGE: expected a wait for fuser_gpu.store_tensor before the thread returns, but the copy is under way
// LAUNCH: grid 1, block 64
// PARAMS: out f32 16x16 map 8x8 swizzle 32, in f32 64
!map = !fuser_gpu.tensor_map<8x8xf32, swizzle = 32>
!f32s = memref<2147483647xf32, strided<[1]>>
!tile = memref<64xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%map: !map, %px: memref<f32>) workgroup(%s: !tile {llvm.align = 1024 : i64}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %c32 = arith.constant 32 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %v = memref.load %x[%t] : !f32s
    memref.store %v, %s[%t] : !tile
    fuser_gpu.fence_async
    gpu.barrier
    scf.if %first {
      fuser_gpu.store_tensor %s[%c0] to %map[%c12, %c4] : !tile, !map // HERE
      fuser_gpu.store_commit
      // CLEAN: fuser_gpu.store_wait 0
      %none = arith.addi %c0, %c0 : index // FAULT
    }
    gpu.return
  }
}
