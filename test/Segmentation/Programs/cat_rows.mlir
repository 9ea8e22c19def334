// RUN: fuser-run %s --device=host --check --sizes=3x50,5x50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=16x1024,7x1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8,5x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x8,0x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1 | FileCheck %s
// Two results one below the other.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @cat_rows(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.exp %x : tensor<?x?xbf16>
  %1 = fuser.neg %y : tensor<?x?xbf16>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}
