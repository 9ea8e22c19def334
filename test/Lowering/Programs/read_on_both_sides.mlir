// An argument that is read with the rows of a sum and with its results: loops that all readers shared would need results of each other.
// RUN: fuser-run %s --device=host --check-accesses --check --sizes=2,16x2 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --sizes=64,300x64 | FileCheck %s --implicit-check-not=fallback
// CHECK: kernels {{ *}}f_0: grid
// CHECK-NOT: f_1
// CHECK: output 0: ok
// CHECK: output 1: ok
fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.permute %y [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.minimum %0, %1 : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.add %2, %x : tensor<?xf32>
  fuser.return %4, %3 : tensor<?xf32>, tensor<?x?xf32>
}
