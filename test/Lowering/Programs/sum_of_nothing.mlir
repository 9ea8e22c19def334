// A sum of no elements in loops that are never entered: its result is 0 in each thread.
// RUN: fuser-run %s --device=host --check-accesses --sizes=0x3 --check | FileCheck %s
// RUN: fuser-run %s --device=host --check-accesses --sizes=5x3 --check | FileCheck %s
// CHECK: output 0: ok
fuser.fusion @sum_of_nothing(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %sum = fuser.sum %x dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %row = fuser.broadcast %sum dims [0] : tensor<f32> -> tensor<1xf32>
  %all = fuser.broadcast %row dims [1] : tensor<1xf32> -> tensor<1x1xf32>
  %0 = fuser.mul %all, %x : (tensor<1x1xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  fuser.return %0 : tensor<?x3xf32>
}
