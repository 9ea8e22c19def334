// A slice of sizes that only a call knows reads nothing outside of its operand: the call fails.
// RUN: fuser-run %s --device=host --check --program=kernel --sizes=100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=view --sizes=100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=offset --sizes=10 --scalar=at=6 | FileCheck %s
// RUN: not fuser-run %s --device=host --program=kernel --sizes=99 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not fuser-run %s --device=host --program=view --sizes=99 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not fuser-run %s --device=host --program=offset --sizes=10 --scalar=at=7 2>&1 | FileCheck %s --check-prefix=END
// RUN: not fuser-run %s --device=host --program=offset --sizes=10 --scalar=at=9223372036854775807 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not fuser-run %s --device=host --program=offset --sizes=10 --scalar=at=-1 2>&1 | FileCheck %s --check-prefix=BEGIN
// RUN: not fuser-run %s --device=host --program=crop --sizes=9 2>&1 | FileCheck %s --check-prefix=CROP
// RUN: not fuser-run %s --device=host --program=crop --check --sizes=9 2>&1 | FileCheck %s --check-prefix=CROP
// RUN: fuser-run %s --device=host --program=crop --check --sizes=10 | FileCheck %s --check-prefix=EMPTY
// RUN: not fuser-run %s --device=host --program=insert --sizes=4,5 2>&1 | FileCheck %s --check-prefix=INSERT
// CHECK: check {{.*}} ok
// SHORT: fuser-run: expected 100 <= x.size[0] (box of 'fuser.slice'), but got 100 and 99
// END: fuser-run: expected 2 <= {{.*}}x.size[0]{{.*}} (box of 'fuser.slice'), but got 2 and 1
// HUGE: fuser-run: expected 2 <= {{.*}} (box of 'fuser.slice'), but got 2 and -3074457345618258599
// BEGIN: fuser-run: expected 0 <= {{.*}} (box of 'fuser.slice'), but got 0 and -1
// CROP: fuser-run: expected 0 <= {{.*}} (box of 'fuser.pad'), but got 0 and -1
// EMPTY: check {{.*}} ok
// INSERT: fuser-run: expected x.size[0] <= {{.*}}y.size[0]{{.*}} (box of 'fuser.insert_slice'), but got 4 and 3
fuser.fusion @kernel(%x: tensor<?xf32>) -> tensor<100xf32> {
  %0 = fuser.slice %x [0] [100] : tensor<?xf32> -> tensor<100xf32>
  %1 = fuser.neg %0 : tensor<100xf32>
  fuser.return %1 : tensor<100xf32>
}
fuser.fusion @view(%x: tensor<?xf32>) -> tensor<100xf32> {
  %0 = fuser.slice %x [0] [100] : tensor<?xf32> -> tensor<100xf32>
  fuser.return %0 : tensor<100xf32>
}
fuser.fusion @offset(%x: tensor<?xf32>, %at: index) -> tensor<2xf32> {
  %0 = fuser.slice %x [%at] [2] strides [3] : tensor<?xf32> -> tensor<2xf32>
  %1 = fuser.exp %0 : tensor<2xf32>
  fuser.return %1 : tensor<2xf32>
}
fuser.fusion @crop(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [-10] high [0] value %c : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.fusion @insert(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.insert_slice %x into %y [2] : tensor<?xf32> into tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
