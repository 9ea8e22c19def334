// The rows of a matrix begin at multiples of 8 bytes.
// EXPECT: AlignmentMismatch
// MESSAGE: expected an address that is a multiple of 16 bytes at fuser_gpu.ldmatrix, but got an address
// LAUNCH: grid 1, block 32
// PARAMS: in bf16 256, out f32 128
!bf16s = memref<2147483647xbf16, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
!tile = memref<256xbf16, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<bf16>, %py: memref<f32>) workgroup(%s: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %v = vector.load %x[%i] : !bf16s, vector<8xbf16>
    vector.store %v, %s[%i] : !tile, vector<8xbf16>
    gpu.barrier
    %odd = arith.muli %t, %c4 : index
    // CLEAN: %a = fuser_gpu.ldmatrix %s[%i] : !tile -> vector<8xbf16>
    %a = fuser_gpu.ldmatrix %s[%odd] : !tile -> vector<8xbf16> // FAULT
    %b = vector.extract_strided_slice %a {offsets = [0], sizes = [4], strides = [1]} : vector<8xbf16> to vector<4xbf16>
    %d = fuser_gpu.mma %a, %b, %zero : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
    %o = arith.muli %t, %c4 : index
    vector.store %d, %y[%o] : !f32s, vector<4xf32>
    gpu.return
  }
}
