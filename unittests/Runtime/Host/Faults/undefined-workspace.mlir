// A value between two phases is read where it was not stored.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.load to read what was written, but got byte 60 of parameter 0, which is uninitialized
// LAUNCH: grid 1, block 16
// PARAMS: out f32 16, out f32 16
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %one = arith.constant 1.0 : f32
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %has = arith.cmpi ult, %t, %c16 : index
    %has = arith.cmpi ult, %t, %c15 : index // FAULT
    scf.if %has {
      memref.store %one, %w[%t] : !f32s
    }
    gpu.barrier
    %m = arith.subi %c15, %t : index
    %v = memref.load %w[%m] : !f32s // HERE
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
