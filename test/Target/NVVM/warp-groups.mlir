// Products of warp groups; other chips have none. Descriptors have the distances of groups of rows and of parts of transposed
// rows, in units of 16 bytes, and the number of the swizzle.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_100a output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEW

// OTHER: 'fuser_gpu.wgmma_fence' op expected a chip with this instruction (sm_90a), but got 'sm_90'
// OLD: 'fuser_gpu.fence_async' op expected a chip with this instruction (sm_90 or later), but got 'sm_80'
// NEW: 'fuser_gpu.wgmma_fence' op expected a chip with this instruction (sm_90a), but got 'sm_100a'

// CHECK-LABEL: .entry warp_groups(
// CHECK: fence.proxy.async.shared::cta
// CHECK: bar.sync
// CHECK: wgmma.fence.sync.aligned
// 64 << 32 | 1 << 16 | 1 << 62, and 64 << 32 | 512 << 16 | 1 << 62
// CHECK-DAG: or.b64 %[[LHS:rd[0-9]+]], %{{rd[0-9]+}}, 4611686293305360384;
// CHECK-DAG: or.b64 %[[RHS:rd[0-9]+]], %{{rd[0-9]+}}, 4611686293338849280;
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}, %[[LHS]], %[[RHS]], adds, 1, 1, 0, 1;
// CHECK: wgmma.commit_group.sync.aligned
// CHECK: wgmma.wait_group.sync.aligned 1
// CHECK: wgmma.wait_group.sync.aligned 0
gpu.module @warp_groups {
  gpu.func @warp_groups(%py: memref<f32>) workgroup(%s: memref<16384xbf16, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8192 = arith.constant 8192 : index
    %c64 = arith.constant 64 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %one = arith.constant 1.0 : bf16
    memref.store %one, %s[%t] : memref<16384xbf16, #gpu.address_space<workgroup>>
    fuser_gpu.fence_async
    gpu.barrier
    %zero = arith.constant dense<0.0> : vector<64xf32>
    fuser_gpu.wgmma_fence
    %d = fuser_gpu.wgmma %s[%c0] rows <128, transposed = false, pitch = 0>, %s[%c8192] rows <128, transposed = true, pitch = 4096>, %zero
      : memref<16384xbf16, #gpu.address_space<workgroup>>, memref<16384xbf16, #gpu.address_space<workgroup>>, vector<64xf32>
    fuser_gpu.wgmma_commit
    fuser_gpu.wgmma_wait 1
    %r = fuser_gpu.wgmma_wait 0 of %d : vector<64xf32>
    %i = arith.muli %t, %c64 : index
    vector.store %r, %y[%i] : memref<2147483647xf32, strided<[1]>>, vector<64xf32>
    gpu.return
  }
}

// Rows of 64 and 32 bytes: 32 << 32 | 32 << 16 | 2 << 62, and 16 << 32 | 1 << 16 | 3 << 62.
// CHECK-LABEL: .entry halves(
// CHECK-DAG: or.b64 %[[LHS:rd[0-9]+]], %{{rd[0-9]+}}, -9223371899413725184;
// CHECK-DAG: or.b64 %[[RHS:rd[0-9]+]], %{{rd[0-9]+}}, -4611685949707845632;
// CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, %[[LHS]], %[[RHS]], adds, 1, 1, 1, 0;
gpu.module @halves {
  gpu.func @halves(%py: memref<f32>) workgroup(%s: memref<4096xf16, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2048 = arith.constant 2048 : index
    %c4 = arith.constant 4 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    fuser_gpu.wgmma_fence
    %d = fuser_gpu.wgmma %s[%c0] rows <64, transposed = true, pitch = 256>, %s[%c2048] rows <32, transposed = false, pitch = 0>, %zero
      : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    fuser_gpu.wgmma_commit
    %r = fuser_gpu.wgmma_wait 0 of %d : vector<4xf32>
    %i = arith.muli %t, %c4 : index
    vector.store %r, %y[%i] : memref<2147483647xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
}
