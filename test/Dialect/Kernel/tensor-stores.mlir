// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s -mlir-print-op-generic | fuser-opt | FileCheck %s
// Copies of boxes from shared memory.

// CHECK-LABEL: gpu.func @stores
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>
// CHECK: fuser_gpu.store_tensor %{{.*}}[%{{.*}}, %{{.*}}] to %[[ROWS]][%{{.*}}, %{{.*}}] : memref<64x64xbf16, #gpu.address_space<workgroup>>, !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>
// CHECK-NEXT: fuser_gpu.store_tensor %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : memref<384xi8, #gpu.address_space<workgroup>>, !fuser_gpu.tensor_map<1x2x3x4x16xi8>
// CHECK-NEXT: fuser_gpu.store_commit
// CHECK-NEXT: fuser_gpu.store_wait 1
!tile = memref<64x64xbf16, #gpu.address_space<workgroup>>
!bytes = memref<384xi8, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @stores(%rows: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128> {fuser_gpu.bind = #fuser_gpu.tensor_map<1, dims = [0, 1]>},
                   %five: !fuser_gpu.tensor_map<1x2x3x4x16xi8>, %i: index) workgroup(%s: !tile, %b: !bytes) kernel {
    fuser_gpu.store_tensor %s[%i, %i] to %rows[%i, %i] : !tile, !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>
    fuser_gpu.store_tensor %b[%i] to %five[%i, %i, %i, %i, %i] : !bytes, !fuser_gpu.tensor_map<1x2x3x4x16xi8>
    fuser_gpu.store_commit
    fuser_gpu.store_wait 1
    gpu.return
  }
}
