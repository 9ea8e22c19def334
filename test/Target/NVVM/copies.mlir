// Asynchronous copies; on a chip that has none, loads and stores.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_75 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: fuser-opt %s --fuser-lower-to-nvvm | FileCheck %s --check-prefix=ANY

// 16 bytes pass by the first level of the cache.
// CHECK-LABEL: .entry copies(
// CHECK: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// CHECK: cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 8, %{{.*}};
// CHECK: cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 4;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 1;
// CHECK: bar.sync
// CHECK: ld.shared
// OLD: remark: expected a chip with asynchronous copies (sm_80 or later), but got 'sm_75': each copy is a load and a store
// OLD: ld.global{{.*}}.v4
// OLD: st.shared.v4
// OLD-NOT: cp.async
// Without a chip they stay.
// ANY: nvvm.cp.async.shared.global {{.*}}, 16, cache = {{ ?}}cg
// ANY: nvvm.cp.async.wait.group 1
gpu.module @copies {
  gpu.func @copies(%px: memref<f32>, %py: memref<f32>, %n: index) workgroup(%s: memref<1024xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %i = arith.muli %t, %c4 : index
    %j = arith.addi %i, %c256 : index
    %k = arith.addi %i, %c512 : index
    fuser_gpu.copy_async 4 of %x[%i] to %s[%i] : memref<2147483647xf32, strided<[1]>>, memref<1024xf32, #gpu.address_space<workgroup>>
    fuser_gpu.copy_async 2 of %x[%i] to %s[%j] existing %n : memref<2147483647xf32, strided<[1]>>, memref<1024xf32, #gpu.address_space<workgroup>>
    fuser_gpu.copy_async 1 of %x[%i] to %s[%k] : memref<2147483647xf32, strided<[1]>>, memref<1024xf32, #gpu.address_space<workgroup>>
    fuser_gpu.copy_commit
    fuser_gpu.copy_wait 1
    gpu.barrier
    %v = memref.load %s[%t] : memref<1024xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : memref<2147483647xf32, strided<[1]>>
    gpu.return
  }
}
