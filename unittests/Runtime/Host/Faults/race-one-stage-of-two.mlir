// Of two stages that take turns, both are the same.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (31, 0, 0), but no barrier is between them and both touch byte 124 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: in f32 96, out f32 96
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c3 step %c1 {
      // CLEAN: %stage = arith.remui %k, %c2 : index
      %stage = arith.remui %k, %c1 : index // FAULT
      %from = arith.muli %stage, %c32 : index
      %base = arith.muli %k, %c32 : index
      %i = arith.addi %base, %t : index
      %at = arith.addi %from, %t : index
      %v = memref.load %x[%i] : !f32s
      memref.store %v, %s[%at] : memref<64xf32, #gpu.address_space<workgroup>> // HERE
      gpu.barrier
      %m = arith.subi %c31, %t : index
      %mat = arith.addi %from, %m : index
      %w = memref.load %s[%mat] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%i] : !f32s
    }
    gpu.return
  }
}
