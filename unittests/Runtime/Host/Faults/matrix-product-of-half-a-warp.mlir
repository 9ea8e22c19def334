// Half of a warp multiplies, while the other half has left.
// EXPECT: BarrierDivergence
// MESSAGE: expected lane 16 at fuser_gpu.mma, which reads it, but the lane has returned
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
    %a = fuser_gpu.ldmatrix %s[%i] : !tile -> vector<8xbf16>
    %b = vector.extract_strided_slice %a {offsets = [0], sizes = [4], strides = [1]} : vector<8xbf16> to vector<4xbf16>
    // CLEAN: %half = arith.constant true
    %half = arith.cmpi ult, %t, %c16 : index // FAULT
    %d = scf.if %half -> vector<4xf32> {
      %p = fuser_gpu.mma %a, %b, %zero : vector<8xbf16>, vector<4xbf16>, vector<4xf32> // HERE
      scf.yield %p : vector<4xf32>
    } else {
      scf.yield %zero : vector<4xf32>
    }
    %o = arith.muli %t, %c4 : index
    vector.store %d, %y[%o] : !f32s, vector<4xf32>
    gpu.return
  }
}
