// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// ONLY-CHIP: sm_90a

// The product of matrices of 64 x 128 and 128 x 128 bf16 by one warp group, 64 steps of the sum at a time. The rows of a are
// along the sum, those of b along the columns. Launch: grid (1, 1, 1), block (128, 1, 1).
// CHECK: .align 1024
// CHECK: fence.proxy.async
// CHECK: bar.sync
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}, adds, 1, 1, 0, 1;
// CHECK: wgmma.commit_group.sync.aligned
// CHECK: wgmma.wait_group.sync.aligned 0
// CHECK: wgmma.wait_group.sync.aligned 0
// CHECK: st.global
!bf16s = memref<2147483647xbf16, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
!as = memref<4096xbf16, #gpu.address_space<workgroup>>
!bs = memref<8192xbf16, #gpu.address_space<workgroup>>
#along_sum = #fuser_gpu.rows<128, transposed = false, pitch = 0>
#along_columns = #fuser_gpu.rows<128, transposed = true, pitch = 4096>
gpu.module @warp_group_product {
  gpu.func @warp_group_product(%pa: memref<bf16>, %pb: memref<bf16>, %py: memref<f32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, symbols = [], smem = affine_map<() -> (24576)>>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %c1024 = arith.constant 1024 : index
    %c4096 = arith.constant 4096 : index
    %c8192 = arith.constant 8192 : index
    %a = memref.reinterpret_cast %pa to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %b = memref.reinterpret_cast %pb to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %as = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to !as
    %bs = memref.view %shared[%c8192][] : memref<?xi8, #gpu.address_space<workgroup>> to !bs
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %sum = scf.for %k = %c0 to %c128 step %c64 iter_args(%s0 = %zero) -> vector<64xf32> {
      // 64 rows of 8 chunks of a, and 64 rows of 16 chunks of b: chunk c of row r is at place c xor r mod 8.
      scf.for %i = %c0 to %c512 step %c128 {
        %q = arith.addi %i, %t : index
        %r = arith.divui %q, %c8 : index
        %c = arith.remui %q, %c8 : index
        %r128 = arith.muli %r, %c128 : index
        %ce = arith.muli %c, %c8 : index
        %rk = arith.addi %r128, %k : index
        %from = arith.addi %rk, %ce : index
        %turn = arith.remui %r, %c8 : index
        %place = arith.xori %c, %turn : index
        %pe = arith.muli %place, %c8 : index
        %r64 = arith.muli %r, %c64 : index
        %to = arith.addi %r64, %pe : index
        %v = vector.load %a[%from] : !bf16s, vector<8xbf16>
        vector.store %v, %as[%to] : !as, vector<8xbf16>
      }
      scf.for %i = %c0 to %c1024 step %c128 {
        %q = arith.addi %i, %t : index
        %r = arith.divui %q, %c16 : index
        %d = arith.remui %q, %c16 : index
        %box = arith.divui %d, %c8 : index
        %c = arith.remui %d, %c8 : index
        %row = arith.addi %k, %r : index
        %r128 = arith.muli %row, %c128 : index
        %de = arith.muli %d, %c8 : index
        %from = arith.addi %r128, %de : index
        %turn = arith.remui %r, %c8 : index
        %place = arith.xori %c, %turn : index
        %pe = arith.muli %place, %c8 : index
        %r64 = arith.muli %r, %c64 : index
        %be = arith.muli %box, %c4096 : index
        %to0 = arith.addi %r64, %pe : index
        %to = arith.addi %to0, %be : index
        %v = vector.load %b[%from] : !bf16s, vector<8xbf16>
        vector.store %v, %bs[%to] : !bs, vector<8xbf16>
      }
      fuser_gpu.fence_async
      gpu.barrier
      fuser_gpu.wgmma_fence
      %b1 = arith.constant 1024 : index
      %b2 = arith.constant 2048 : index
      %b3 = arith.constant 3072 : index
      %a3 = arith.constant 48 : index
      %s1 = fuser_gpu.wgmma %as[%c0] rows #along_sum, %bs[%c0] rows #along_columns, %s0 : !as, !bs, vector<64xf32>
      %s2 = fuser_gpu.wgmma %as[%c16] rows #along_sum, %bs[%b1] rows #along_columns, %s1 : !as, !bs, vector<64xf32>
      %s3 = fuser_gpu.wgmma %as[%c32] rows #along_sum, %bs[%b2] rows #along_columns, %s2 : !as, !bs, vector<64xf32>
      %s4 = fuser_gpu.wgmma %as[%a3] rows #along_sum, %bs[%b3] rows #along_columns, %s3 : !as, !bs, vector<64xf32>
      fuser_gpu.wgmma_commit
      fuser_gpu.wgmma_wait 0
      gpu.barrier
      scf.yield %s4 : vector<64xf32>
    }
    %done = fuser_gpu.wgmma_wait 0 of %sum : vector<64xf32>
    // Rows 16 * (t / 32) + t mod 32 / 4 and 8 further on, columns 2 * (t mod 4) and the next one of each 8.
    %warp = arith.divui %t, %c32 : index
    %lane = arith.remui %t, %c32 : index
    %w16 = arith.muli %warp, %c16 : index
    %l4 = arith.divui %lane, %c4 : index
    %r0 = arith.addi %w16, %l4 : index
    %q = arith.remui %lane, %c4 : index
    %q2 = arith.muli %q, %c2 : index
    %o0 = arith.muli %r0, %c128 : index
    %first = arith.addi %o0, %q2 : index
    %v0 = vector.extract_strided_slice %done {offsets = [0], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d0 = arith.constant 0 : index
    %to0 = arith.addi %first, %d0 : index
    vector.store %v0, %y[%to0] : !f32s, vector<2xf32>
    %v1 = vector.extract_strided_slice %done {offsets = [2], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d1 = arith.constant 1024 : index
    %to1 = arith.addi %first, %d1 : index
    vector.store %v1, %y[%to1] : !f32s, vector<2xf32>
    %v2 = vector.extract_strided_slice %done {offsets = [4], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d2 = arith.constant 8 : index
    %to2 = arith.addi %first, %d2 : index
    vector.store %v2, %y[%to2] : !f32s, vector<2xf32>
    %v3 = vector.extract_strided_slice %done {offsets = [6], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d3 = arith.constant 1032 : index
    %to3 = arith.addi %first, %d3 : index
    vector.store %v3, %y[%to3] : !f32s, vector<2xf32>
    %v4 = vector.extract_strided_slice %done {offsets = [8], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d4 = arith.constant 16 : index
    %to4 = arith.addi %first, %d4 : index
    vector.store %v4, %y[%to4] : !f32s, vector<2xf32>
    %v5 = vector.extract_strided_slice %done {offsets = [10], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d5 = arith.constant 1040 : index
    %to5 = arith.addi %first, %d5 : index
    vector.store %v5, %y[%to5] : !f32s, vector<2xf32>
    %v6 = vector.extract_strided_slice %done {offsets = [12], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d6 = arith.constant 24 : index
    %to6 = arith.addi %first, %d6 : index
    vector.store %v6, %y[%to6] : !f32s, vector<2xf32>
    %v7 = vector.extract_strided_slice %done {offsets = [14], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d7 = arith.constant 1048 : index
    %to7 = arith.addi %first, %d7 : index
    vector.store %v7, %y[%to7] : !f32s, vector<2xf32>
    %v8 = vector.extract_strided_slice %done {offsets = [16], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d8 = arith.constant 32 : index
    %to8 = arith.addi %first, %d8 : index
    vector.store %v8, %y[%to8] : !f32s, vector<2xf32>
    %v9 = vector.extract_strided_slice %done {offsets = [18], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d9 = arith.constant 1056 : index
    %to9 = arith.addi %first, %d9 : index
    vector.store %v9, %y[%to9] : !f32s, vector<2xf32>
    %v10 = vector.extract_strided_slice %done {offsets = [20], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d10 = arith.constant 40 : index
    %to10 = arith.addi %first, %d10 : index
    vector.store %v10, %y[%to10] : !f32s, vector<2xf32>
    %v11 = vector.extract_strided_slice %done {offsets = [22], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d11 = arith.constant 1064 : index
    %to11 = arith.addi %first, %d11 : index
    vector.store %v11, %y[%to11] : !f32s, vector<2xf32>
    %v12 = vector.extract_strided_slice %done {offsets = [24], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d12 = arith.constant 48 : index
    %to12 = arith.addi %first, %d12 : index
    vector.store %v12, %y[%to12] : !f32s, vector<2xf32>
    %v13 = vector.extract_strided_slice %done {offsets = [26], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d13 = arith.constant 1072 : index
    %to13 = arith.addi %first, %d13 : index
    vector.store %v13, %y[%to13] : !f32s, vector<2xf32>
    %v14 = vector.extract_strided_slice %done {offsets = [28], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d14 = arith.constant 56 : index
    %to14 = arith.addi %first, %d14 : index
    vector.store %v14, %y[%to14] : !f32s, vector<2xf32>
    %v15 = vector.extract_strided_slice %done {offsets = [30], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d15 = arith.constant 1080 : index
    %to15 = arith.addi %first, %d15 : index
    vector.store %v15, %y[%to15] : !f32s, vector<2xf32>
    %v16 = vector.extract_strided_slice %done {offsets = [32], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d16 = arith.constant 64 : index
    %to16 = arith.addi %first, %d16 : index
    vector.store %v16, %y[%to16] : !f32s, vector<2xf32>
    %v17 = vector.extract_strided_slice %done {offsets = [34], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d17 = arith.constant 1088 : index
    %to17 = arith.addi %first, %d17 : index
    vector.store %v17, %y[%to17] : !f32s, vector<2xf32>
    %v18 = vector.extract_strided_slice %done {offsets = [36], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d18 = arith.constant 72 : index
    %to18 = arith.addi %first, %d18 : index
    vector.store %v18, %y[%to18] : !f32s, vector<2xf32>
    %v19 = vector.extract_strided_slice %done {offsets = [38], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d19 = arith.constant 1096 : index
    %to19 = arith.addi %first, %d19 : index
    vector.store %v19, %y[%to19] : !f32s, vector<2xf32>
    %v20 = vector.extract_strided_slice %done {offsets = [40], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d20 = arith.constant 80 : index
    %to20 = arith.addi %first, %d20 : index
    vector.store %v20, %y[%to20] : !f32s, vector<2xf32>
    %v21 = vector.extract_strided_slice %done {offsets = [42], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d21 = arith.constant 1104 : index
    %to21 = arith.addi %first, %d21 : index
    vector.store %v21, %y[%to21] : !f32s, vector<2xf32>
    %v22 = vector.extract_strided_slice %done {offsets = [44], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d22 = arith.constant 88 : index
    %to22 = arith.addi %first, %d22 : index
    vector.store %v22, %y[%to22] : !f32s, vector<2xf32>
    %v23 = vector.extract_strided_slice %done {offsets = [46], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d23 = arith.constant 1112 : index
    %to23 = arith.addi %first, %d23 : index
    vector.store %v23, %y[%to23] : !f32s, vector<2xf32>
    %v24 = vector.extract_strided_slice %done {offsets = [48], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d24 = arith.constant 96 : index
    %to24 = arith.addi %first, %d24 : index
    vector.store %v24, %y[%to24] : !f32s, vector<2xf32>
    %v25 = vector.extract_strided_slice %done {offsets = [50], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d25 = arith.constant 1120 : index
    %to25 = arith.addi %first, %d25 : index
    vector.store %v25, %y[%to25] : !f32s, vector<2xf32>
    %v26 = vector.extract_strided_slice %done {offsets = [52], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d26 = arith.constant 104 : index
    %to26 = arith.addi %first, %d26 : index
    vector.store %v26, %y[%to26] : !f32s, vector<2xf32>
    %v27 = vector.extract_strided_slice %done {offsets = [54], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d27 = arith.constant 1128 : index
    %to27 = arith.addi %first, %d27 : index
    vector.store %v27, %y[%to27] : !f32s, vector<2xf32>
    %v28 = vector.extract_strided_slice %done {offsets = [56], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d28 = arith.constant 112 : index
    %to28 = arith.addi %first, %d28 : index
    vector.store %v28, %y[%to28] : !f32s, vector<2xf32>
    %v29 = vector.extract_strided_slice %done {offsets = [58], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d29 = arith.constant 1136 : index
    %to29 = arith.addi %first, %d29 : index
    vector.store %v29, %y[%to29] : !f32s, vector<2xf32>
    %v30 = vector.extract_strided_slice %done {offsets = [60], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d30 = arith.constant 120 : index
    %to30 = arith.addi %first, %d30 : index
    vector.store %v30, %y[%to30] : !f32s, vector<2xf32>
    %v31 = vector.extract_strided_slice %done {offsets = [62], sizes = [2], strides = [1]} : vector<64xf32> to vector<2xf32>
    %d31 = arith.constant 1144 : index
    %to31 = arith.addi %first, %d31 : index
    vector.store %v31, %y[%to31] : !f32s, vector<2xf32>
    gpu.return
  }
}
