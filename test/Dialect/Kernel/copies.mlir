// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s

!x = memref<?xf32, strided<[1]>>
!s = memref<64xf32, #gpu.address_space<workgroup>>
!h = memref<?x?xbf16, strided<[?, 1]>>
!t = memref<4x64xbf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @copies(
func.func @copies(%x: !x, %s: !s, %h: !h, %t: !t, %i: index, %j: index, %n: index) {
  // CHECK: fuser_gpu.copy_async 4 of %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] : memref<?xf32, strided<[1]>>, memref<64xf32, #gpu.address_space<workgroup>>
  fuser_gpu.copy_async 4 of %x[%i] to %s[%j] : !x, !s
  // CHECK: fuser_gpu.copy_async 8 of %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}] existing %{{.*}} : memref<?x?xbf16, strided<[?, 1]>>, memref<4x64xbf16, #gpu.address_space<workgroup>>
  fuser_gpu.copy_async 8 of %h[%i, %j] to %t[%j, %i] existing %n : !h, !t
  // CHECK: fuser_gpu.copy_commit
  fuser_gpu.copy_commit
  // An empty group is one.
  // CHECK: fuser_gpu.copy_commit
  fuser_gpu.copy_commit
  // CHECK: fuser_gpu.copy_wait 1
  fuser_gpu.copy_wait 1
  return
}
