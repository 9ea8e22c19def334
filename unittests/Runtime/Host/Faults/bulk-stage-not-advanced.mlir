// A copy fills the stage that is being read.
// EXPECT: DataRace
// MESSAGE: expected fuser_gpu.copy_bulk to be ordered with memref.load of thread (31, 0, 0), but no barrier, nor an arrival that was waited for, is between them and both touch byte 0 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: in f32 160, out f32 160
!f32s = memref<2147483647xf32, strided<[1]>>
!stages = memref<96xf32, #gpu.address_space<workgroup>>
!barriers = memref<3xi64, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: !stages, %f: !barriers) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      scf.for %i = %c0 to %c3 step %c1 {
        fuser_gpu.mbarrier_init %f[%i] count 1 : !barriers
      }
      fuser_gpu.mbarrier_fence
      scf.for %p = %c0 to %c2 step %c1 {
        %at = arith.muli %p, %c32 : index
        fuser_gpu.mbarrier_expect %f[%p] bytes %c128 : !barriers
        fuser_gpu.copy_bulk %c32 of %x[%at] to %s[%at] signal %f[%p] : !f32s, !stages, !barriers
      }
    }
    gpu.barrier
    scf.for %k = %c0 to %c5 step %c1 {
      %stage = arith.remui %k, %c3 : index
      %phase = arith.divui %k, %c3 : index
      fuser_gpu.mbarrier_wait %f[%stage] phase %phase : !barriers
      gpu.barrier
      %ahead = arith.addi %k, %c2 : index
      // CLEAN: %next = arith.remui %ahead, %c3 : index
      %next = arith.remui %k, %c3 : index // FAULT
      %from = arith.muli %ahead, %c32 : index
      %into = arith.muli %next, %c32 : index
      %exists = arith.cmpi ult, %ahead, %c5 : index
      %fills = arith.andi %first, %exists : i1
      scf.if %fills {
        fuser_gpu.mbarrier_expect %f[%next] bytes %c128 : !barriers
        fuser_gpu.copy_bulk %c32 of %x[%from] to %s[%into] signal %f[%next] : !f32s, !stages, !barriers
      }
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
