// RUN: fuser-opt --fuser-lower-to-host %s | FileCheck %s
// RUN: fuser-opt --fuser-lower-to-host=check-accesses %s | FileCheck %s --check-prefix=CHECKED

// The scheduler copies when the thread waits. Waiting threads are fibers.
// CHECK-LABEL: module @copies
// CHECK: llvm.func internal @fuser_host_entry_copies(%[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:   %[[BYTES:.*]] = llvm.mlir.constant(16 : i32)
// CHECK:   llvm.call @fuser_host_copy_async(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BYTES]], %{{.*}})
// CHECK:   llvm.mul
// CHECK:   llvm.call @fuser_host_copy_async(
// CHECK:   llvm.call @fuser_host_copy_commit(%[[CTX]])
// CHECK:   %[[PENDING:.*]] = llvm.mlir.constant(2 : i32)
// CHECK:   llvm.call @fuser_host_copy_wait(%[[CTX]], %[[PENDING]])
// CHECKED: llvm.call @fuser_host_check_bounds
// CHECKED: llvm.call @fuser_host_copy_async
gpu.module @copies {
  gpu.func @copies(%px: memref<f32>, %n: index) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    fuser_gpu.copy_async 4 of %x[%t] to %s[%t] : memref<2147483647xf32, strided<[1]>>, memref<64xf32, #gpu.address_space<workgroup>>
    fuser_gpu.copy_async 2 of %x[%t] to %s[%t] existing %n : memref<2147483647xf32, strided<[1]>>, memref<64xf32, #gpu.address_space<workgroup>>
    fuser_gpu.copy_commit
    fuser_gpu.copy_wait 2
    gpu.return
  }
}
