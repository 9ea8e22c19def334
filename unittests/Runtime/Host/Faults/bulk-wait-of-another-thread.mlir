// A thread reads what another one has waited for.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with fuser_gpu.copy_bulk of thread (0, 0, 0), but no wait for the copy is between them and both touch byte 124 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
!tile = memref<32xf32, #gpu.address_space<workgroup>>
!barriers = memref<1xi64, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: !tile, %f: !barriers) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %true = arith.constant true
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      fuser_gpu.mbarrier_init %f[%c0] count 1 : !barriers
      fuser_gpu.mbarrier_fence
      fuser_gpu.mbarrier_expect %f[%c0] bytes %c128 : !barriers
      fuser_gpu.copy_bulk %c32 of %x[%c0] to %s[%c0] signal %f[%c0] : !f32s, !tile, !barriers
    }
    gpu.barrier
    // CLEAN: scf.if %true {
    scf.if %first { // FAULT
      fuser_gpu.mbarrier_wait %f[%c0] phase %c0 : !barriers
    }
    %v = memref.load %s[%t] : !tile // HERE
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
