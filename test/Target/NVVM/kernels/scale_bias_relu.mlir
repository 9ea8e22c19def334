// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s

// One 16-byte read-only load and one 16-byte store per thread, one fma per
// element, NaN kept by the relu, 32-bit index arithmetic, nothing in local memory.
// CHECK-NOT: .local
// CHECK: .visible .entry scale_bias_relu(
// CHECK-NEXT: .param .u64 .ptr .align 16 scale_bias_relu_param_0,
// CHECK: .param .u32 scale_bias_relu_param_4
// CHECK: .maxntid 256, 1, 1
// CHECK-NOT: mul.lo.s64
// CHECK: ld.global.nc.v4.b32
// CHECK-COUNT-8: fma.rn.f32
// CHECK-COUNT-8: max.NaN.f32
// CHECK-COUNT-4: cvt.rn.bf16x2.f32
// CHECK: st.global.v4.b32

// y = max(x * scale + bias, 0) over n elements: bf16, 8 per thread, any n.
gpu.module @scale_bias_relu attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @scale_bias_relu(
      %x: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<3>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %scale: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>},
      %bias: f32 {fuser_gpu.bind = #fuser_gpu.scalar<2>},
      %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0] -> (s0 ceildiv 2048, 1, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<8xf32>
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<bf16> to memref<?xbf16, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1] : memref<bf16> to memref<?xbf16, strided<[1]>>
    %b = gpu.block_id x
    %bd = gpu.block_dim x
    %t = gpu.thread_id x
    %b0 = arith.muli %b, %bd : index
    %i0 = arith.addi %b0, %t : index
    %i = arith.muli %i0, %c8 : index
    %end = arith.addi %i, %c8 : index
    %whole = arith.cmpi sle, %end, %n : index
    scf.if %whole {
      %v = vector.load %xs[%i] {alignment = 16} : memref<?xbf16, strided<[1]>>, vector<8xbf16>
      %f = arith.extf %v : vector<8xbf16> to vector<8xf32>
      %s = vector.broadcast %scale : f32 to vector<8xf32>
      %o = vector.broadcast %bias : f32 to vector<8xf32>
      %m = arith.mulf %f, %s fastmath<contract> : vector<8xf32>
      %a = arith.addf %m, %o fastmath<contract> : vector<8xf32>
      %r = arith.maximumf %a, %zeros : vector<8xf32>
      %h = arith.truncf %r : vector<8xf32> to vector<8xbf16>
      vector.store %h, %ys[%i] {alignment = 16} : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    } else {
      scf.for %j = %i to %n step %c1 {
        %v = memref.load %xs[%j] : memref<?xbf16, strided<[1]>>
        %f = arith.extf %v : bf16 to f32
        %m = arith.mulf %f, %scale fastmath<contract> : f32
        %a = arith.addf %m, %bias fastmath<contract> : f32
        %r = arith.maximumf %a, %zero : f32
        %h = arith.truncf %r : f32 to bf16
        memref.store %h, %ys[%j] : memref<?xbf16, strided<[1]>>
      }
    }
    gpu.return
  }
}
