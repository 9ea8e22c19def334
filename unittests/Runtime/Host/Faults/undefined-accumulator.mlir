// A sum is accumulated in an output that was never set to zero.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.load to read what was written, but got byte 0 of parameter 1, which is uninitialized
// LAUNCH: grid 1, block 4
// PARAMS: in f32 16, out f32 4
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %zero = arith.constant 0.0 : f32
    // CLEAN: memref.store %zero, %y[%t] : !f32s
    %nothing = arith.constant 0 : index // FAULT
    scf.for %k = %c0 to %c4 step %c1 {
      %row = arith.muli %k, %c4 : index
      %i = arith.addi %row, %t : index
      %v = memref.load %x[%i] : !f32s
      %old = memref.load %y[%t] : !f32s // HERE
      %new = arith.addf %old, %v : f32
      memref.store %new, %y[%t] : !f32s
    }
    gpu.return
  }
}
