// The block ends before the copy does.
// EXPECT: DataRace
// MESSAGE: expected a wait for fuser_gpu.copy_tensor before the block returns, but the copy is under way: phase 0 of the barrier at byte 520 of the shared memory has 1 of 1 arrivals, and 256 of the 256 bytes that they expect
// LAUNCH: grid 1, block 32
// PARAMS: in f32 16x16 map 8x8 swizzle 32, out f32 64
!map = !fuser_gpu.tensor_map<8x8xf32, swizzle = 32>
!f32s = memref<2147483647xf32, strided<[1]>>
!tile = memref<128xf32, #gpu.address_space<workgroup>>
!barriers = memref<2xi64, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%map: !map, %py: memref<f32>) workgroup(%s: !tile {llvm.align = 1024 : i64}, %f: !barriers) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c66 = arith.constant 66 : index
    %c96 = arith.constant 96 : index
    %bytes = arith.constant 256 : index
    %half = arith.constant 128 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      fuser_gpu.mbarrier_init %f[%c0] count 1 : !barriers
      fuser_gpu.mbarrier_fence
      fuser_gpu.mbarrier_expect %f[%c0] bytes %bytes : !barriers
      fuser_gpu.copy_tensor %map[%c8, %c4] to %s[%c0] signal %f[%c0] : !map, !tile, !barriers
    }
    gpu.barrier
    fuser_gpu.mbarrier_wait %f[%c0] phase %c0 : !barriers
    %r = arith.divui %t, %c4 : index
    %pair = arith.remui %t, %c4 : index
    %column = arith.muli %pair, %c2 : index
    %chunk = arith.divui %column, %c4 : index
    %in = arith.remui %column, %c4 : index
    %group = arith.divui %r, %c4 : index
    %place = arith.xori %chunk, %group : index
    %row = arith.muli %r, %c8 : index
    %inrow = arith.muli %place, %c4 : index
    %a = arith.addi %row, %inrow : index
    %at = arith.addi %a, %in : index
    %v = vector.load %s[%at] : !tile, vector<2xf32>
    %b = arith.addi %row, %column : index
    vector.store %v, %y[%b] : !f32s, vector<2xf32>
    // CLEAN: %none = arith.addi %c0, %c0 : index
    scf.if %first { fuser_gpu.mbarrier_init %f[%c1] count 1 : !barriers fuser_gpu.mbarrier_fence fuser_gpu.mbarrier_expect %f[%c1] bytes %bytes : !barriers fuser_gpu.copy_tensor %map[%c0, %c0] to %s[%c64] signal %f[%c1] : !map, !tile, !barriers } // FAULT
    gpu.return
  }
}
