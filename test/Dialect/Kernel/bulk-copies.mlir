// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s

!x = memref<?xf32, strided<[1]>>
!h = memref<?x?xbf16, strided<[?, 1]>>
!s = memref<64xf32, #gpu.address_space<workgroup>>
!t = memref<4x64xbf16, #gpu.address_space<workgroup>>
!f = memref<4xi64, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @bulk_copies(
func.func @bulk_copies(%x: !x, %h: !h, %s: !s, %t: !t, %f: !f, %i: index, %j: index, %n: index) {
  // CHECK: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 2 : memref<4xi64, #gpu.address_space<workgroup>>
  fuser_gpu.mbarrier_init %f[%i] count 2 : !f
  // CHECK-NEXT: fuser_gpu.mbarrier_fence
  fuser_gpu.mbarrier_fence
  // CHECK-NEXT: fuser_gpu.mbarrier_expect %{{.*}}[%{{.*}}] bytes %{{.*}} : memref<4xi64, #gpu.address_space<workgroup>>
  fuser_gpu.mbarrier_expect %f[%i] bytes %n : !f
  // Equal arrivals are several.
  // CHECK-NEXT: fuser_gpu.mbarrier_expect
  fuser_gpu.mbarrier_expect %f[%i] bytes %n : !f
  // CHECK-NEXT: fuser_gpu.copy_bulk %{{.*}} of %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] signal %{{.*}}[%{{.*}}] : memref<?xf32, strided<[1]>>, memref<64xf32, #gpu.address_space<workgroup>>, memref<4xi64, #gpu.address_space<workgroup>>
  fuser_gpu.copy_bulk %n of %x[%i] to %s[%j] signal %f[%i] : !x, !s, !f
  // CHECK-NEXT: fuser_gpu.copy_bulk %{{.*}} of %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}] signal %{{.*}}[%{{.*}}] : memref<?x?xbf16, strided<[?, 1]>>, memref<4x64xbf16, #gpu.address_space<workgroup>>, memref<4xi64, #gpu.address_space<workgroup>>
  fuser_gpu.copy_bulk %n of %h[%i, %j] to %t[%j, %i] signal %f[%j] : !h, !t, !f
  // CHECK-NEXT: fuser_gpu.mbarrier_wait %{{.*}}[%{{.*}}] phase %{{.*}} : memref<4xi64, #gpu.address_space<workgroup>>
  fuser_gpu.mbarrier_wait %f[%i] phase %j : !f
  return
}
