// The steps of a sum over a tree are not separated.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.load of thread (0, 0, 0), but no barrier is between them and both touch byte 4 of the shared memory
// LAUNCH: grid 1, block 32
// PARAMS: in f32 32, out f32 1
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : !f32s
    memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    scf.for %k = %c0 to %c5 step %c1 {
      %half = arith.shrui %c16, %k : index
      %low = arith.cmpi ult, %t, %half : index
      scf.if %low {
        %o = arith.addi %t, %half : index
        %a = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
        %u = memref.load %s[%o] : memref<32xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %a, %u : f32
        memref.store %sum, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
      }
      // CLEAN: gpu.barrier
      %nothing = arith.constant 0 : index // FAULT
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %r = memref.load %s[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %r, %y[%c0] : !f32s
    }
    gpu.return
  }
}
