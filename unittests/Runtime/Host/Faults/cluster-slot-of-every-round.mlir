// A slot that is used again in more rounds than the checks count: only the first ones are known to
// lack a barrier.
// EXPECT: DataRace
// MESSAGE: expected fuser_gpu.peer_store to be ordered with memref.load of thread (0, 0, 0) of block (0, 0, 0), but no barrier of the cluster is between them and both touch byte 4 of the shared memory
// LAUNCH: grid 2, block 1, cluster 2
// PARAMS: in f32 2, out f32 2
!f32s = memref<2147483647xf32, strided<[1]>>
!slots = memref<2xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%slots: !slots) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rounds = arith.constant 70000 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %b = gpu.block_id x
    %rank = gpu.cluster_block_id x
    %v = memref.load %x[%b] : !f32s
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    scf.for %i = %c0 to %rounds step %c1 {
      fuser_gpu.peer_store %v, %slots[%rank] of %c0 : f32, !slots // HERE
      fuser_gpu.peer_store %v, %slots[%rank] of %c1 : f32, !slots
      fuser_gpu.cluster_arrive
      fuser_gpu.cluster_wait
      %d = memref.load %slots[%c1] : !slots
      memref.store %d, %y[%b] : !f32s
      // CLEAN: fuser_gpu.cluster_arrive
      // CLEAN: fuser_gpu.cluster_wait
    }
    gpu.return
  }
}
