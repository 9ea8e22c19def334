// RUN: not fuser-run %s --device=host --sizes=4x8,4x9,8 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not fuser-run %s --device=host --sizes=4x8,4x8,9 2>&1 | FileCheck %s --check-prefix=MUL
// RUN: fuser-run %s --device=host --sizes=4x8,4x8,8 --check | FileCheck %s
// Sizes that do not fit are named by argument, with the op that requires them.

// ADD: fuser-run: expected x.size[1] == y.size[1] (sizes of 'fuser.add'), but got 8 and 9
// MUL: fuser-run: expected x.size[1] == b.size[0] (sizes of 'fuser.mul'), but got 8 and 9
// CHECK: check {{ *}}output 0: ok
fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %y : tensor<?x?xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
