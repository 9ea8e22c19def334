// A warp of the group does not give its registers back.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the warp group at fuser_gpu.set_max_registers, but thread (96, 0, 0) returns without it
// LAUNCH: grid 1, block 384
// PARAMS: out f32 512
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %gives = arith.cmpi ult, %t, %c128 : index
    %gives = arith.cmpi ult, %t, %c96 : index // FAULT
    scf.if %gives {
      fuser_gpu.set_max_registers decrease 40 // HERE
    }
    memref.store %one, %y[%t] : !f32s
    gpu.return
  }
}
