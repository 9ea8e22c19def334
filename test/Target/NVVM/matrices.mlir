// Matrix instructions; older chips have none.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_75 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: 'fuser_gpu.ldmatrix' op expected a chip with this instruction (sm_80 or later), but got 'sm_75'

// CHECK-LABEL: .entry matrices(
// CHECK-DAG: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{.*}}}, [%{{.*}}];
// CHECK-DAG: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{{.*}}}, [%{{.*}}];
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{{.*}}}, [%{{.*}}];
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
gpu.module @matrices {
  gpu.func @matrices(%px: memref<bf16>, %py: memref<f32>) workgroup(%s: memref<1024xbf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %i = arith.muli %t, %c8 : index
    %v = vector.load %x[%i] : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
    vector.store %v, %s[%i] : memref<1024xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
    gpu.barrier
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %a = fuser_gpu.ldmatrix %s[%i] : memref<1024xbf16, #gpu.address_space<workgroup>> -> vector<8xbf16>
    %b = fuser_gpu.ldmatrix transposed %s[%i] : memref<1024xbf16, #gpu.address_space<workgroup>> -> vector<4xbf16>
    %c = fuser_gpu.mma %a, %b, %zero : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
    %short = vector.extract_strided_slice %a {offsets = [0], sizes = [4], strides = [1]} : vector<8xbf16> to vector<4xbf16>
    %e = fuser_gpu.ldmatrix %s[%i] : memref<1024xbf16, #gpu.address_space<workgroup>> -> vector<2xbf16>
    %d = fuser_gpu.mma %short, %e, %c : vector<4xbf16>, vector<2xbf16>, vector<4xf32>
    vector.store %d, %y[%i] : memref<2147483647xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
}

// CHECK-LABEL: .entry halves(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
gpu.module @halves {
  gpu.func @halves(%px: memref<f16>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f16> to memref<2147483647xf16, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %i = arith.muli %t, %c8 : index
    %a = vector.load %x[%i] : memref<2147483647xf16, strided<[1]>>, vector<8xf16>
    %b = vector.load %x[%i] : memref<2147483647xf16, strided<[1]>>, vector<4xf16>
    %e = vector.load %x[%i] : memref<2147483647xf16, strided<[1]>>, vector<2xf16>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %c = fuser_gpu.mma %a, %b, %zero : vector<8xf16>, vector<4xf16>, vector<4xf32>
    %d = fuser_gpu.mma %b, %e, %c : vector<4xf16>, vector<2xf16>, vector<4xf32>
    vector.store %d, %y[%i] : memref<2147483647xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
}
