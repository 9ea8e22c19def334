// RUN: fuser-opt --fuser-lower-to-host %s | FileCheck %s
// RUN: fuser-opt --fuser-lower-to-host=check-accesses %s | FileCheck %s --check-prefix=CHECKED

// The scheduler copies when a thread waits for the phase. Waiting threads are fibers.
// CHECK-LABEL: module @bulk
// CHECK: llvm.func internal @fuser_host_entry_bulk(%[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:   llvm.call @fuser_host_mbarrier_init(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:   llvm.call @fuser_host_mbarrier_fence(%[[CTX]])
// CHECK:   llvm.call @fuser_host_mbarrier_expect(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:   %[[SIZE:.*]] = llvm.mlir.constant(4 : i64)
// CHECK:   %[[BYTES:.*]] = llvm.mul %{{.*}}, %[[SIZE]]
// CHECK:   llvm.call @fuser_host_copy_bulk(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BYTES]], %{{.*}})
// CHECK:   llvm.call @fuser_host_mbarrier_wait(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECKED: llvm.call @fuser_host_check_bounds
// CHECKED: llvm.call @fuser_host_copy_bulk
gpu.module @bulk {
  gpu.func @bulk(%px: memref<f32>, %n: index) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %f: memref<2xi64, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    fuser_gpu.mbarrier_init %f[%c0] count 1 : memref<2xi64, #gpu.address_space<workgroup>>
    fuser_gpu.mbarrier_fence
    fuser_gpu.mbarrier_expect %f[%c0] bytes %n : memref<2xi64, #gpu.address_space<workgroup>>
    fuser_gpu.copy_bulk %n of %x[%c0] to %s[%c0] signal %f[%c0] : memref<2147483647xf32, strided<[1]>>, memref<64xf32, #gpu.address_space<workgroup>>, memref<2xi64, #gpu.address_space<workgroup>>
    fuser_gpu.mbarrier_wait %f[%c0] phase %n : memref<2xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}
