// A histogram has one bin less than there are values.
// EXPECT: OutOfBounds
// MESSAGE: expected memref.atomic_rmw inside of the 32 bytes of parameter 0, but got 4 bytes at offset 32
// LAUNCH: grid 1, block 9
// PARAMS: zero i32 8
!i32s = memref<2147483647xi32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%ph: memref<i32>) kernel attributes {known_block_size = array<i32: 9, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %h = memref.reinterpret_cast %ph to offset: [0], sizes: [2147483647], strides: [1] : memref<i32> to !i32s
    %t = gpu.thread_id x
    %c1i = arith.constant 1 : i32
    // CLEAN: %bin = arith.remui %t, %c8 : index
    %bin = arith.remui %t, %c9 : index // FAULT
    memref.atomic_rmw addi %c1i, %h[%bin] : (i32, !i32s) -> i32 // HERE
    gpu.return
  }
}
