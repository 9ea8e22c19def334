// Stores of matrices; older chips have none.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: 'fuser_gpu.stmatrix' op expected a chip with this instruction (sm_90 or later), but got 'sm_80'

// CHECK-LABEL: .entry stores(
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%{{.*}}], {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK: stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%{{.*}}], {%{{.*}}, %{{.*}}};
// CHECK: stmatrix.sync.aligned.m8n8.x1.shared.b16 [%{{.*}}], {%{{.*}}};
!tile = memref<1024xbf16, #gpu.address_space<workgroup>>
gpu.module @stores {
  gpu.func @stores(%px: memref<bf16>, %py: memref<bf16>) workgroup(%s: !tile, %u: !tile, %w: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
    %i = arith.muli %t, %c8 : index
    %a = vector.load %x[%i] : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
    %b = vector.extract_strided_slice %a {offsets = [4], sizes = [4], strides = [1]} : vector<8xbf16> to vector<4xbf16>
    %c = vector.extract_strided_slice %a {offsets = [2], sizes = [2], strides = [1]} : vector<8xbf16> to vector<2xbf16>
    fuser_gpu.stmatrix %a, %s[%i] : vector<8xbf16>, !tile
    fuser_gpu.stmatrix transposed %b, %u[%i] : vector<4xbf16>, !tile
    fuser_gpu.stmatrix %c, %w[%i] : vector<2xbf16>, !tile
    gpu.barrier
    %d = vector.load %s[%i] : !tile, vector<8xbf16>
    %e = vector.load %u[%i] : !tile, vector<8xbf16>
    %f = vector.load %w[%i] : !tile, vector<8xbf16>
    %g = arith.addf %d, %e : vector<8xbf16>
    %h = arith.addf %g, %f : vector<8xbf16>
    vector.store %h, %y[%i] : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
    gpu.return
  }
}
