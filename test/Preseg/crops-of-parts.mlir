// RUN: fuser-run %s --program=three --device=host --check --sizes=3,4,5 --scalar l=-1 --scalar h=-1 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --program=three --device=host --check --sizes=3,4,5 --scalar l=-5 --scalar h=-2 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --program=three --device=host --check --sizes=3,4,5 --scalar l=-3 --scalar h=-5 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --program=three --device=host --check --sizes=3,4,5 --scalar l=2 --scalar h=-9 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --program=three --device=host --check --sizes=3,4,5 --scalar l=-8 --scalar h=3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --program=three --device=host --check --sizes=3,0,5 --scalar l=1 --scalar h=2 --scalar v=1.5 | FileCheck %s
// A crop of dynamic amounts of three values: each part is cropped at its own place, also where a whole part is outside.

// CHECK: check output 0: ok
// CHECK-NOT: WRONG
fuser.fusion @three(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %l: index, %h: index, %v: f32) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.neg %y : tensor<?xf32>
  %2 = fuser.tanh %z : tensor<?xf32>
  %3 = fuser.cat %0, %1, %2 dim 0 : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %4 = fuser.pad %3 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %4 : tensor<?xf32>
}
