// RUN: fuser-run %s --device=host --check --sizes=3x2048,3x1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x2048,0x1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x2048,1x1024 | FileCheck %s
// Two results side by side, without a copy.

// CHECK: kernels {{ *}}cat_computed_0: grid
// CHECK-NOT: cat_computed_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @cat_computed(%x: tensor<?x2048xbf16>, %y: tensor<?x1024xbf16>) -> tensor<?x3072xbf16> {
  %0 = fuser.exp %x : tensor<?x2048xbf16>
  %1 = fuser.neg %y : tensor<?x1024xbf16>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x2048xbf16>, tensor<?x1024xbf16>) -> tensor<?x3072xbf16>
  fuser.return %2 : tensor<?x3072xbf16>
}
