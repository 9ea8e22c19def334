// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null -split-input-file | FileCheck %s

// Cosines of two elements call what reduces large angles, and have no copies of it.
// CHECK-LABEL: .func (.param .b32 func_retval0) __nv_cosf
// CHECK: .entry two(
// CHECK-NOT: {{call\.|\.local|ld\.global\.nc}}
// CHECK: st.global
// CHECK-COUNT-2: call.uni (retval0), __nv_cosf, (param0);
// CHECK-NOT: {{call\.|\.local|ld\.global\.nc}}
// CHECK: .func (.param .b32 func_retval0) __nv_cosf
// CHECK: .local
// CHECK: mov.b64 {{.*}}, __cudart_i2opi_f;
gpu.module @two {
  gpu.func @two(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %elements = memref.reinterpret_cast %x to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32, strided<[1]>>
    %0 = vector.load %elements[%c0] {alignment = 8 : i64} : memref<2xf32, strided<[1]>>, vector<2xf32>
    %1 = math.cos %0 : vector<2xf32>
    vector.store %1, %elements[%c0] {alignment = 8 : i64} : memref<2xf32, strided<[1]>>, vector<2xf32>
    gpu.return
  }
}

// -----

// One alone is inlined.
// CHECK-NOT: .func
// CHECK: .entry one(
// CHECK: mov.b64 {{.*}}, __cudart_i2opi_f;
// CHECK-NOT: call.
gpu.module @one {
  gpu.func @one(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.cos %0 : f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
