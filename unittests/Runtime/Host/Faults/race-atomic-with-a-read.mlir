// A counter in shared memory is read while others still add to it.
// EXPECT: DataRace
// MESSAGE: expected memref.atomic_rmw to be ordered with memref.load of thread (31, 0, 0), but no barrier is between them and both touch byte 0 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: out f32 1
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%h: memref<1xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %z = arith.constant 0 : i32
    %c1i = arith.constant 1 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %z, %h[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    memref.atomic_rmw addi %c1i, %h[%c0] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
    // CLEAN: gpu.barrier
    %nothing = arith.constant 0 : index // FAULT
    %n = memref.load %h[%c0] : memref<1xi32, #gpu.address_space<workgroup>> // HERE
    %f = arith.sitofp %n : i32 to f32
    scf.if %first {
      memref.store %f, %y[%c0] : !f32s
    }
    gpu.return
  }
}
