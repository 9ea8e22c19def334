// RUN: fuser-run %s --device=host --check --sizes=513 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0 | FileCheck %s
// A join of dynamic parts, one of which is a join.

// CHECK: check {{.*}} ok
fuser.fusion @cat_of_cat(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.tanh %x : tensor<?xf32>
  %1 = fuser.neg %x : tensor<?xf32>
  %2 = fuser.abs %x : tensor<?xf32>
  %3 = fuser.cat %2, %1 dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %4 = fuser.cat %3, %0 dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %4 : tensor<?xf32>
}
