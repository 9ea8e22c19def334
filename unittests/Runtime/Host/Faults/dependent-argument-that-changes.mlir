// The argument that the launch before writes is stated not to change.
// EXPECT: DataRace
// MESSAGE: expected memref.load to read what no launch writes while this one runs, because kernel 'k', which may still run, writes byte N of parameter N (sizes [N], strides [N], N bytes)
// LAUNCH: grid 2, block 32, dependent
// PARAMS: in f32 64 box 64, in f32 64 box 64, out f32 64 box 64
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  // CLEAN: gpu.func @k(%px: memref<f32>, %pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  gpu.func @k(%px: memref<f32> {fuser_gpu.readonly}, %pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} { // FAULT
    %c32 = arith.constant 32 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %first = arith.muli %b, %c32 : index
    %i = arith.addi %first, %t : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %weight = memref.load %w[%i] : !f32s
    fuser_gpu.wait_dependencies
    %v = memref.load %x[%i] : !f32s // HERE
    %sum = arith.addf %v, %weight : f32
    memref.store %sum, %y[%i] : !f32s
    gpu.return
  }
}
