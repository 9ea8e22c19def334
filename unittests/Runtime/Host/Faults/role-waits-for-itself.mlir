// The producer waits for the release of what it is about to copy.
// EXPECT: Deadlock
// MESSAGE: expected a thread that can go on, but of 96 threads 0 returned, 32 wait at fuser_gpu.mbarrier_wait, 64 wait at fuser_gpu.mbarrier_wait; phase 0 of the barrier at byte 768 of the shared memory has 0 of 1 arrivals, and 0 of the 0 bytes that they expect; phase 0 of the barrier at byte 784 of the shared memory has 0 of 64 arrivals, and 0 of the 0 bytes that they expect
// LAUNCH: grid 1, block 96
// PARAMS: in f32 320, out f32 320
!row = memref<2147483647xf32, strided<[1]>>
!stages = memref<128xf32, #gpu.address_space<workgroup>>
!slots = memref<64xf32, #gpu.address_space<workgroup>>
!barriers = memref<2xi64, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%x: memref<f32>, %y: memref<f32>) workgroup(%s: !stages, %slots: !slots, %full: !barriers, %empty: !barriers) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %tiles = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !row
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !row
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      scf.for %i = %c0 to %c2 step %c1 {
        fuser_gpu.mbarrier_init %full[%i] count 1 : !barriers
        fuser_gpu.mbarrier_init %empty[%i] count 64 : !barriers
      }
      fuser_gpu.mbarrier_fence
    }
    gpu.barrier
    %copies = arith.cmpi uge, %t, %c64 : index
    scf.if %copies {
      %begins = arith.cmpi eq, %t, %c64 : index
      scf.for %k = %c0 to %tiles step %c1 {
        %stage = arith.remui %k, %c2 : index
        %use = arith.divui %k, %c2 : index
        // CLEAN: %isLater = arith.cmpi ugt, %use, %c0 : index
        %isLater = arith.cmpi uge, %use, %c0 : index // FAULT
        scf.if %isLater {
          // CLEAN: %before = arith.subi %use, %c1 : index
          %before = arith.addi %use, %c0 : index // FAULT
          fuser_gpu.mbarrier_wait %empty[%stage] phase %before : !barriers // HERE
        }
        scf.if %begins {
          %from = arith.muli %k, %c64 : index
          %into = arith.muli %stage, %c64 : index
          fuser_gpu.mbarrier_expect %full[%stage] bytes %bytes : !barriers
          fuser_gpu.copy_bulk %c64 of %xs[%from] to %s[%into] signal %full[%stage] : !row, !stages, !barriers
        }
      }
    } else {
      scf.for %k = %c0 to %tiles step %c1 {
        %stage = arith.remui %k, %c2 : index
        %phase = arith.divui %k, %c2 : index
        fuser_gpu.mbarrier_wait %full[%stage] phase %phase : !barriers
        %base = arith.muli %stage, %c64 : index
        %at = arith.addi %base, %t : index
        %value = memref.load %s[%at] : !stages
        fuser_gpu.mbarrier_arrive %empty[%stage] : !barriers
        memref.store %value, %slots[%t] : !slots
        fuser_gpu.role_barrier 1 threads 64
        %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %zero) -> f32 {
          %other = memref.load %slots[%i] : !slots
          %b = arith.addf %a, %other : f32
          scf.yield %b : f32
        }
        fuser_gpu.role_barrier 1 threads 64
        %result = arith.addf %value, %sum : f32
        %tile = arith.muli %k, %c64 : index
        %to = arith.addi %tile, %t : index
        memref.store %result, %ys[%to] : !row
      }
    }
    gpu.return
  }
}
