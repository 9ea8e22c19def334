// Each lane stores its warp's sum, not the first lane alone.
// EXPECT: DataRace
// MESSAGE: expected memref.store to be ordered with memref.store of thread (0, 0, 0), but no barrier is between them and both touch byte 0 of the shared memory
// LAUNCH: grid 1, block 64
gpu.module @m {
  gpu.func @k() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %lane = arith.remui %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    // CLEAN: %first = arith.cmpi eq, %lane, %c0 : index
    %first = arith.cmpi ult, %lane, %c32 : index // FAULT
    scf.if %first {
      memref.store %one, %s[%warp] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    }
    gpu.return
  }
}
