// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 ftz=true output=-" -o /dev/null -split-input-file | FileCheck %s --check-prefix=FTZ

// CHECK-LABEL: .entry approx(
// CHECK: ex2.approx.f32
// CHECK: lg2.approx.f32
// CHECK: rcp.approx.f32
// CHECK: rsqrt.approx.f32
// CHECK: sqrt.approx.f32
// CHECK: tanh.approx.f32
// CHECK: sin.approx.f32
// CHECK: cos.approx.f32
gpu.module @approx {
  gpu.func @approx(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = fuser_gpu.approx exp2 %0 : f32
    %2 = fuser_gpu.approx log2 %1 : f32
    %3 = fuser_gpu.approx rcp %2 : f32
    %4 = fuser_gpu.approx rsqrt %3 : f32
    %5 = fuser_gpu.approx sqrt %4 : f32
    %6 = fuser_gpu.approx tanh %5 : f32
    %7 = fuser_gpu.approx sin %6 : f32
    %8 = fuser_gpu.approx cos %7 : f32
    memref.store %8, %x[] : memref<f32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry approx_ftz(
// CHECK: ex2.approx.ftz.f32
// CHECK: lg2.approx.ftz.f32
// CHECK: rcp.approx.ftz.f32
// CHECK: rsqrt.approx.ftz.f32
// CHECK: sqrt.approx.ftz.f32
// CHECK: tanh.approx.f32
// CHECK: sin.approx.ftz.f32
// CHECK: cos.approx.ftz.f32
gpu.module @approx_ftz {
  gpu.func @approx_ftz(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = fuser_gpu.approx exp2 %0 ftz : f32
    %2 = fuser_gpu.approx log2 %1 ftz : f32
    %3 = fuser_gpu.approx rcp %2 ftz : f32
    %4 = fuser_gpu.approx rsqrt %3 ftz : f32
    %5 = fuser_gpu.approx sqrt %4 ftz : f32
    %6 = fuser_gpu.approx tanh %5 ftz : f32
    %7 = fuser_gpu.approx sin %6 ftz : f32
    %8 = fuser_gpu.approx cos %7 ftz : f32
    memref.store %8, %x[] : memref<f32>
    gpu.return
  }
}

// -----

// Exact where the hardware is exact; products are not merged into sums unless
// the flag allows it; the module's option, not the op, decides on denormals.
// CHECK-LABEL: .entry exact(
// CHECK: sqrt.rn.f32
// CHECK: div.rn.f32
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: fma.rn.f32
// CHECK: max.NaN.f32
// CHECK: max.f32
// FTZ-LABEL: .entry exact(
// FTZ: sqrt.rn.ftz.f32
// FTZ: div.rn.ftz.f32
gpu.module @exact {
  gpu.func @exact(%x: memref<f32>, %y: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.sqrt %0 : f32
    %2 = arith.divf %1, %y : f32
    %3 = arith.mulf %2, %y : f32
    %4 = arith.addf %3, %0 : f32
    %5 = arith.mulf %4, %y fastmath<contract> : f32
    %6 = arith.addf %5, %0 fastmath<contract> : f32
    %7 = arith.maximumf %6, %y : f32
    %8 = arith.maxnumf %7, %0 : f32
    memref.store %8, %x[] : memref<f32>
    gpu.return
  }
}

// -----

// libdevice: the accurate exponential reduces its argument first. bf16 goes
// through f32, and nothing is left to call.
// CHECK-LABEL: .entry libdevice(
// CHECK: cvt.f32.bf16
// CHECK: fma.rn
// CHECK: ex2.approx
// CHECK-NOT: call
// CHECK: cvt.rn.bf16.f32
gpu.module @libdevice {
  gpu.func @libdevice(%x: memref<bf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<bf16>
    %1 = math.exp %0 : bf16
    memref.store %1, %x[] : memref<bf16>
    gpu.return
  }
}

// -----

// Vectors are taken apart; the logarithm that aborts LLVM is a call of libdevice.
// CHECK-LABEL: .entry vectors(
// CHECK-NOT: call
// CHECK: st.global
gpu.module @vectors {
  gpu.func @vectors(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1]>>
    %0 = vector.load %xs[%c0] : memref<4xf32, strided<[1]>>, vector<4xf32>
    %1 = math.log2 %0 : vector<4xf32>
    %2 = math.tanh %1 : vector<4xf32>
    vector.store %2, %xs[%c0] : memref<4xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
}
