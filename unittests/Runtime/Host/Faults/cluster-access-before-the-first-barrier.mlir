// Blocks write to the memory of their peers, which may not have begun.
// EXPECT: DataRace
// MESSAGE: expected fuser_gpu.peer_store after a barrier of the cluster, but block (N, N, N), whose shared memory it accesses, may not have begun
// LAUNCH: grid 8, block 32, cluster 4
// PARAMS: in f32 8, out f32 8
!f32s = memref<2147483647xf32, strided<[1]>>
!slots = memref<4xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%slots: !slots) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %rank = gpu.cluster_block_id x
    %v = memref.load %x[%b] : !f32s
    %isFirst = arith.cmpi eq, %t, %c0 : index
    // CLEAN: fuser_gpu.cluster_arrive
    // CLEAN: fuser_gpu.cluster_wait
    %isSender = arith.cmpi ult, %t, %c4 : index
    scf.if %isSender {
      fuser_gpu.peer_store %v, %slots[%rank] of %t : f32, !slots // HERE
    }
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    scf.if %isFirst {
      %a = memref.load %slots[%c0] : !slots
      %d = memref.load %slots[%c3] : !slots
      %s = arith.addf %a, %d : f32
      memref.store %s, %y[%b] : !f32s
    }
    gpu.return
  }
}
