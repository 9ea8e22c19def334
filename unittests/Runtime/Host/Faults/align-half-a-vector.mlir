// Threads take 4 elements of bf16 each, but read 8 at once.
// EXPECT: AlignmentMismatch
// MESSAGE: expected an address that is a multiple of 16 bytes at vector.load, but got an address
// LAUNCH: grid 1, block 2
// PARAMS: in bf16 16, out bf16 16
!bf16s = memref<2147483647xbf16, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<bf16>, %py: memref<bf16>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %t = gpu.thread_id x
    // CLEAN: %i = arith.muli %t, %c8 : index
    %i = arith.muli %t, %c4 : index // FAULT
    %v = vector.load %x[%i] {alignment = 16 : i64} : !bf16s, vector<8xbf16> // HERE
    %o = arith.muli %t, %c8 : index
    vector.store %v, %y[%o] : !bf16s, vector<8xbf16>
    gpu.return
  }
}
