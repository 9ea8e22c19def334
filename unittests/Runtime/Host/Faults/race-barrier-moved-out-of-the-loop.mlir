// The barrier behind the store was moved in front of the loop.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.load of thread (31, 0, 0), but no barrier is between them and both touch byte 0 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: out f32 64
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    gpu.barrier // FAULT
    scf.for %k = %c0 to %c2 step %c1 {
      memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      // CLEAN: gpu.barrier
      %m = arith.subi %c31, %t : index
      %w = memref.load %s[%m] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
      %base = arith.muli %k, %c32 : index
      %i = arith.addi %base, %t : index
      memref.store %w, %y[%i] : !f32s
      // CLEAN: gpu.barrier
    }
    gpu.return
  }
}
