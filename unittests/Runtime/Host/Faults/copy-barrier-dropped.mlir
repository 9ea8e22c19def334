// Each thread waits for its own copies, but not for the others.
// EXPECT: DataRace
// MESSAGE: expected fuser_gpu.copy_async to be ordered with memref.load of thread (15, 0, 0), but no barrier is between them and both touch byte 64 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: in f32 160, out f32 160
!f32s = memref<2147483647xf32, strided<[1]>>
!stages = memref<96xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: !stages) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    scf.for %p = %c0 to %c2 step %c1 {
      %row = arith.muli %p, %c32 : index
      %at = arith.addi %row, %t : index
      fuser_gpu.copy_async 1 of %x[%at] to %s[%at] : !f32s, !stages
      fuser_gpu.copy_commit
    }
    scf.for %k = %c0 to %c5 step %c1 {
      %ahead = arith.addi %k, %c2 : index
      %next = arith.remui %ahead, %c3 : index
      %far = arith.muli %ahead, %c32 : index
      %from = arith.addi %far, %t : index
      %slot = arith.muli %next, %c32 : index
      %into = arith.addi %slot, %t : index
      fuser_gpu.copy_wait 1
      // CLEAN: gpu.barrier
      %exists = arith.cmpi ult, %ahead, %c5 : index
      scf.if %exists {
        fuser_gpu.copy_async 1 of %x[%from] to %s[%into] : !f32s, !stages
      }
      fuser_gpu.copy_commit
      %stage = arith.remui %k, %c3 : index
      %base = arith.muli %stage, %c32 : index
      %m = arith.subi %c31, %t : index
      %at = arith.addi %base, %m : index
      %v = memref.load %s[%at] : !stages // HERE
      %row = arith.muli %k, %c32 : index
      %i = arith.addi %row, %t : index
      memref.store %v, %y[%i] : !f32s
    }
    gpu.return
  }
}
