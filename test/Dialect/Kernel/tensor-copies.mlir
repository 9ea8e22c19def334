// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s -mlir-print-op-generic | fuser-opt | FileCheck %s

// Boxes of tensors of one to five dimensions, and the ops of roles.
// CHECK-LABEL: gpu.func @copies
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1]>}
// CHECK-SAME: %[[COLUMNS:[a-z0-9]+]]: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128> {fuser_gpu.bind = #fuser_gpu.tensor_map<1, dims = [1, 0]>}
// CHECK-SAME: %[[LINE:[a-z0-9]+]]: !fuser_gpu.tensor_map<256xf32>
// CHECK-SAME: %[[FIVE:[a-z0-9]+]]: !fuser_gpu.tensor_map<1x2x3x4x16xi8>
// CHECK: fuser_gpu.copy_tensor %[[ROWS]][%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}] signal %{{.*}}[%{{.*}}] : !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, memref<8192xbf16, #gpu.address_space<workgroup>>, memref<2xi64, #gpu.address_space<workgroup>>
// CHECK: fuser_gpu.copy_tensor %[[COLUMNS]]
// CHECK: fuser_gpu.copy_tensor %[[LINE]][%{{.*}}] to
// CHECK: fuser_gpu.copy_tensor %[[FIVE]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] to
// CHECK: fuser_gpu.mbarrier_arrive %{{.*}}[%{{.*}}] : memref<2xi64, #gpu.address_space<workgroup>>
// CHECK: fuser_gpu.role_barrier 1 threads 64
!tile = memref<8192xbf16, #gpu.address_space<workgroup>>
!line = memref<256xf32, #gpu.address_space<workgroup>>
!bytes = memref<384xi8, #gpu.address_space<workgroup>>
!barriers = memref<2xi64, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @copies(%rows: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1]>},
                   %columns: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128> {fuser_gpu.bind = #fuser_gpu.tensor_map<1, dims = [1, 0]>},
                   %line: !fuser_gpu.tensor_map<256xf32>, %five: !fuser_gpu.tensor_map<1x2x3x4x16xi8>, %i: index)
      workgroup(%s: !tile, %l: !line, %b: !bytes, %f: !barriers) kernel {
    fuser_gpu.copy_tensor %rows[%i, %i] to %s[%i] signal %f[%i] : !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile, !barriers
    fuser_gpu.copy_tensor %columns[%i, %i] to %s[%i] signal %f[%i] : !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile, !barriers
    fuser_gpu.copy_tensor %line[%i] to %l[%i] signal %f[%i] : !fuser_gpu.tensor_map<256xf32>, !line, !barriers
    fuser_gpu.copy_tensor %five[%i, %i, %i, %i, %i] to %b[%i] signal %f[%i] : !fuser_gpu.tensor_map<1x2x3x4x16xi8>, !bytes, !barriers
    fuser_gpu.mbarrier_arrive %f[%i] : !barriers
    fuser_gpu.role_barrier 1 threads 64
    gpu.return
  }
}
