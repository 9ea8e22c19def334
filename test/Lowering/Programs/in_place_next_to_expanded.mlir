// Blocks that compute another output alone do not read the argument that the others overwrite.
// RUN: fuser-run %s --device=host --check --sizes=5000,5000 | FileCheck %s
// CHECK: block 128
// CHECK: output 0: ok
// CHECK: output 1: ok
fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<100x?xf32>, tensor<?xf32>) attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.mul %x, %y : tensor<?xf32>
  %1 = fuser.tanh %0 : tensor<?xf32>
  %2 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.expand %2 : tensor<1x?xf32> -> tensor<100x?xf32>
  fuser.return %3, %1 : tensor<100x?xf32>, tensor<?xf32>
}
