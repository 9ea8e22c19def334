// RUN: fuser-run %s --device=host --check --program=rows --sizes=7x33,33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=0x5,5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=1x1,1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=64x4096,4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=planes --sizes=7x33x5,7x5,33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=planes --sizes=0x5x3,0x3,5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=planes --sizes=3x0x4,3x4,0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=planes --sizes=4x3x0,4x0,3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=planes --sizes=6x64x128,6x128,64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=7x33,7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=5x0,5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=64x4096,64 | FileCheck %s
// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions --fuser-choose-schedules | FileCheck %s --check-prefix=FACT
// Outputs that lack a dimension of another are written in its loops, of which there must be some: where there are none, they
// have kernels of their own.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// FACT: kernel @rows_0
// FACT-SAME: #fuser.fact<at_least 0[0], 1>

fuser.fusion @rows(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %e = fuser.exp %b : tensor<?xf32>
  %bb = fuser.broadcast %e dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %y = fuser.add %x, %bb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %y, %e : tensor<?x?xf32>, tensor<?xf32>
}

fuser.fusion @planes(%x: tensor<?x?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %e = fuser.exp %b : tensor<?x?xf32>
  %d = fuser.exp %c : tensor<?xf32>
  %bb = fuser.broadcast %e dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %cc = fuser.broadcast %d dims [0, 2] : tensor<?xf32> -> tensor<1x?x1xf32>
  %y = fuser.add %x, %bb : (tensor<?x?x?xf32>, tensor<?x1x?xf32>) -> tensor<?x?x?xf32>
  %z = fuser.add %y, %cc : (tensor<?x?x?xf32>, tensor<1x?x1xf32>) -> tensor<?x?x?xf32>
  fuser.return %z, %e, %d : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

fuser.fusion @columns(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %e = fuser.exp %b : tensor<?xf32>
  %bb = fuser.broadcast %e dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.add %x, %bb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %y, %e : tensor<?x?xf32>, tensor<?xf32>
}
