// RUN: not fuser-explain %s 2>&1 | FileCheck %s
// What is past segmentation has no decisions to explain.

// CHECK: error: expected a fuser.fusion to explain, but got fuser.kernel: its decisions are taken
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
