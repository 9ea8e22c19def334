// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s

// CHECK-NOT: .local
// CHECK: .maxntid 256, 1, 1
// CHECK: .minnctapersm 4
// CHECK: .shared .align {{16|32}} .b8 [[PARTIAL:__wg_softmax_0]][64]
// CHECK-COUNT-2: ld.global.cs.nc.v4.b32
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: st.shared.b32
// CHECK: bar.sync
// CHECK-COUNT-2: ld.shared.v4.b32
// CHECK-COUNT-16: ex2.approx.ftz.f32
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: bar.sync
// CHECK: rcp.approx.ftz.f32
// CHECK-COUNT-2: st.global.cs.v4.b32

// Row softmax, bf16, one row of 4096 per block, kept in registers: maximum and
// sum over warps by shuffles, over the block through shared memory.
gpu.module @softmax attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @softmax(
      %x: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %rows: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>})
      workgroup(%partial: memref<16xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0] -> (s0, 1, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>], min_blocks_per_sm = 4>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c2048 = arith.constant 2048 : index
    %c4096 = arith.constant 4096 : index
    %log2e = arith.constant dense<1.44269502> : vector<16xf32>
    %size = arith.muli %rows, %c4096 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%size], strides: [1] : memref<bf16> to memref<?xbf16, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%size], strides: [1] : memref<bf16> to memref<?xbf16, strided<[1]>>
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %begin = arith.muli %row, %c4096 : index
    %col = arith.muli %t, %c8 : index
    %i0 = arith.addi %begin, %col : index
    %i1 = arith.addi %i0, %c2048 : index
    %v0 = fuser_gpu.load %xs[%i0] cache cs align 16 : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    %v1 = fuser_gpu.load %xs[%i1] cache cs align 16 : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    %none = arith.constant dense<0.0> : vector<16xbf16>
    %w0 = vector.insert_strided_slice %v0, %none {offsets = [0], strides = [1]} : vector<8xbf16> into vector<16xbf16>
    %w = vector.insert_strided_slice %v1, %w0 {offsets = [8], strides = [1]} : vector<8xbf16> into vector<16xbf16>
    %f = arith.extf %w : vector<16xbf16> to vector<16xf32>

    // Maximum.
    %m0 = vector.reduction <maxnumf>, %f : vector<16xf32> into f32
    %warp = arith.divui %t, %c32 : index
    %lane = arith.remui %t, %c32 : index
    %isFirst = arith.cmpi eq, %lane, %c0 : index
    %m1 = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %m0) -> (f32) {
      %shift = arith.constant 16 : i32
      %ki = arith.index_cast %k : index to i32
      %offset = arith.shrui %shift, %ki : i32
      %other = fuser_gpu.shuffle xor %acc, %offset width 32 : f32
      %next = arith.maxnumf %acc, %other : f32
      scf.yield %next : f32
    }
    scf.if %isFirst {
      memref.store %m1, %partial[%warp] : memref<16xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %ms = vector.load %partial[%c0] {alignment = 16} : memref<16xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    %max = vector.reduction <maxnumf>, %ms : vector<8xf32> into f32

    // exp(x - max) = 2^(x * log2e - max * log2e)
    %maxs = vector.broadcast %max : f32 to vector<16xf32>
    %d = arith.subf %f, %maxs : vector<16xf32>
    %p = arith.mulf %d, %log2e : vector<16xf32>
    %e = fuser_gpu.approx exp2 %p ftz : vector<16xf32>

    // Sum.
    %s0 = vector.reduction <add>, %e : vector<16xf32> into f32
    %o16 = arith.constant 16 : i32
    %o8 = arith.constant 8 : i32
    %o4 = arith.constant 4 : i32
    %o2 = arith.constant 2 : i32
    %o1 = arith.constant 1 : i32
    %a16 = fuser_gpu.shuffle xor %s0, %o16 width 32 : f32
    %s1 = arith.addf %s0, %a16 : f32
    %a8 = fuser_gpu.shuffle xor %s1, %o8 width 32 : f32
    %s2 = arith.addf %s1, %a8 : f32
    %a4 = fuser_gpu.shuffle xor %s2, %o4 width 32 : f32
    %s3 = arith.addf %s2, %a4 : f32
    %a2 = fuser_gpu.shuffle xor %s3, %o2 width 32 : f32
    %s4 = arith.addf %s3, %a2 : f32
    %a1 = fuser_gpu.shuffle xor %s4, %o1 width 32 : f32
    %s5 = arith.addf %s4, %a1 : f32
    %slot = arith.addi %warp, %c8 : index
    scf.if %isFirst {
      memref.store %s5, %partial[%slot] : memref<16xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %ss = vector.load %partial[%c8] {alignment = 16} : memref<16xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    %sum = vector.reduction <add>, %ss : vector<8xf32> into f32
    %inverse = fuser_gpu.approx rcp %sum ftz : f32
    %inverses = vector.broadcast %inverse : f32 to vector<16xf32>
    %q = arith.mulf %e, %inverses : vector<16xf32>
    %h = arith.truncf %q : vector<16xf32> to vector<16xbf16>
    %h0 = vector.extract_strided_slice %h {offsets = [0], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
    %h1 = vector.extract_strided_slice %h {offsets = [8], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
    fuser_gpu.store %h0, %ys[%i0] cache cs align 16 : vector<8xbf16>, memref<?xbf16, strided<[1]>>
    fuser_gpu.store %h1, %ys[%i1] cache cs align 16 : vector<8xbf16>, memref<?xbf16, strided<[1]>>
    gpu.return
  }
}
