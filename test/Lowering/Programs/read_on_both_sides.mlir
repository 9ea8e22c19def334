// An argument that is read with the rows of a sum and with its results: loops that all readers shared would need results of each other.
// RUN: fuser-run %s --device=host --check-accesses --check --program=f --sizes=2,16x2 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=f --sizes=64,300x64 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=one --sizes=100,1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=one --sizes=0,1 | FileCheck %s --implicit-check-not=fallback
// CHECK: kernels {{ *}}{{f|one}}_0: grid
// CHECK-NOT: _1: grid
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

// What the results read twice is taken out of the rows' loop, and the load of the rows stays in it.
fuser.fusion @one(%x: tensor<?xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %0 = fuser.maximum %y, %y : tensor<1xf32>
  %1 = fuser.sigmoid %y : tensor<1xf32>
  %2 = fuser.mul %1, %x : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = fuser.minimum %2, %0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %4 = fuser.mean %3 dims [0] : tensor<?xf32> -> tensor<f32>
  %5 = fuser.broadcast %4 dims [0] : tensor<f32> -> tensor<1xf32>
  %6 = fuser.maximum %5, %1 : tensor<1xf32>
  fuser.return %1, %6 : tensor<1xf32>, tensor<1xf32>
}
