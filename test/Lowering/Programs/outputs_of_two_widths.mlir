// Two outputs in one kernel, with rows of 3 and of 4 elements: of vectors of 4 the narrower one stores those that exist, of which
// the first does whatever the sizes are.
// RUN: fuser-run %s --device=host --check-accesses --sizes=1024x1 --check | FileCheck %s
// RUN: fuser-run %s --device=host --check-accesses --sizes=0x1 --check | FileCheck %s

// CHECK: output 0: ok
// CHECK: output 1: ok
fuser.fusion @two_widths(%x: tensor<?x1xf32>) -> (tensor<?x3xf32>, tensor<?x4xf32>) {
  %c = arith.constant 1.5 : f32
  %padded = fuser.pad %x low [0, 0] high [0, 2] value %c : tensor<?x1xf32>, f32 -> tensor<?x3xf32>
  %joined = fuser.cat %padded, %x dim 1 : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %sum = fuser.add %padded, %x : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
  %scaled = fuser.mul %joined, %x : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  fuser.return %sum, %scaled : tensor<?x3xf32>, tensor<?x4xf32>
}
