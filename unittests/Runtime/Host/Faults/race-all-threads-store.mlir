// A value that all threads have is stored by all of them.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.store of thread (0, 0, 0), but no barrier is between them and both touch byte 0 of the shared memory
// LAUNCH: grid 1, block 64
gpu.module @m {
  gpu.func @k() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    // CLEAN: %first = arith.cmpi eq, %t, %c0 : index
    %first = arith.constant true // FAULT
    scf.if %first {
      memref.store %one, %s[%c0] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    }
    gpu.return
  }
}
