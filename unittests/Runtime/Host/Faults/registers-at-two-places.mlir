// The warps of a group change their registers at two places.
// EXPECT: BarrierDivergence
// MESSAGE: expected all threads of the warp group at one change of its registers, but got fuser_gpu.set_max_registers while thread (0, 0, 0) waits at fuser_gpu.set_max_registers
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
    // CLEAN: %first = arith.cmpi ult, %t, %c128 : index
    %first = arith.cmpi ult, %t, %c96 : index // FAULT
    scf.if %first {
      fuser_gpu.set_max_registers decrease 40
    } else {
      fuser_gpu.set_max_registers decrease 40 // HERE
    }
    memref.store %one, %y[%t] : !f32s
    gpu.return
  }
}
