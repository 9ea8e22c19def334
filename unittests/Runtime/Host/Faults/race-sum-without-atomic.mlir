// All threads add to one element of global memory, and not atomically.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (N, N, N), but no barrier is between them and both touch byte N of parameter N
// LAUNCH: grid 2, block 32
// PARAMS: zero f32 1
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    // CLEAN: memref.atomic_rmw addf %one, %y[%c0] : (f32, !f32s) -> f32
    %old = memref.load %y[%c0] : !f32s // FAULT
    %new = arith.addf %old, %one : f32 // FAULT
    memref.store %new, %y[%c0] : !f32s // HERE FAULT
    gpu.return
  }
}
