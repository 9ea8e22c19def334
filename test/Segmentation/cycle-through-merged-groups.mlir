// A group that begins after the last op of another may reach it through a third one that begins before: to merge
// the two others would make a cycle.
// RUN: fuser-run %s --device=host --check --sizes=17x8,8 | FileCheck %s

// CHECK: output 0: ok
// CHECK: output 1: ok
// CHECK: output 2: ok
fuser.fusion @two_means(%x: tensor<?x?xf64>, %y: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %0 = fuser.mean %x dims [1] : tensor<?x?xf64> -> tensor<?xf64>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf64> -> tensor<?x1xf64>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf64>, tensor<?x1xf64>) -> tensor<?x?xf64>
  %3 = fuser.abs %2 : tensor<?x?xf64>
  %4 = fuser.mean %x dims [0] : tensor<?x?xf64> -> tensor<?xf64>
  %5 = fuser.broadcast %4 dims [0] : tensor<?xf64> -> tensor<1x?xf64>
  %6 = fuser.sub %x, %5 : (tensor<?x?xf64>, tensor<1x?xf64>) -> tensor<?x?xf64>
  %7 = fuser.abs %6 : tensor<?x?xf64>
  %8 = fuser.minimum %6, %3 : tensor<?x?xf64>
  %9 = fuser.sub %7, %1 : (tensor<?x?xf64>, tensor<?x1xf64>) -> tensor<?x?xf64>
  %c = arith.constant 1.5 : f64
  %10 = fuser.pad %9 low [0, 3] high [0, 0] value %c : tensor<?x?xf64>, f64 -> tensor<?x?xf64>
  fuser.return %10, %8, %3 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
