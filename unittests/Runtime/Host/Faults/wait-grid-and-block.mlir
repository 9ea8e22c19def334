// One block waits for its threads while the others wait for the grid.
// EXPECT: Deadlock
// MESSAGE: expected a thread that can go on, but of 2 threads 0 returned, 1 waits at gpu.barrier, 1 waits at fuser_gpu.grid_sync
// LAUNCH: grid 3, block 2, cooperative
// PARAMS: zero i32 1
!i32s = memref<2147483647xi32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pc: memref<i32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c = memref.reinterpret_cast %pc to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %second = arith.cmpi eq, %b, %c1 : index
    %odd = arith.cmpi eq, %t, %c1 : index
    // CLEAN: %alone = arith.constant false
    %alone = arith.andi %second, %odd : i1 // FAULT
    scf.if %alone {
      gpu.barrier
    } else {
      fuser_gpu.grid_sync %pc[] : memref<i32> // HERE
    }
    gpu.return
  }
}
