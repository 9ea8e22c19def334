// RUN: fuser-opt %s --fuser-squeeze-reductions > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-squeeze-reductions | diff %t.after.mlir -
// RUN: fuser-run %s --program=alone --device=reference --sizes=37x1 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=alone --device=reference --sizes=37x1 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=alone --device=host --sizes=37x1 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=beside_others --device=host --sizes=1x5x64 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=beside_others --device=host --sizes=1x0x64 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=stays --device=host --sizes=7x1,7x9 --check | FileCheck %s --check-prefix=NUMBERS
// What is reduced over one element is that element.
// NUMBERS: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @alone
// CHECK: %[[S:.*]] = fuser.squeeze %{{.*}} dims [1] : tensor<?x1xf32> -> tensor<?xf32>
// CHECK: fuser.return %[[S]]
fuser.fusion @alone(%x: tensor<?x1xf32>) -> tensor<?xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// The variance divides by the number of all elements, which stays.
// CHECK-LABEL: fuser.fusion @beside_others
// CHECK: %[[S:.*]] = fuser.squeeze %{{.*}} dims [0] : tensor<1x?x64xf32> -> tensor<?x64xf32>
// CHECK: fuser.var_mean %[[S]] dims [1] correction 1 : tensor<?x64xf32> -> tensor<?xf32>, tensor<?xf32>
fuser.fusion @beside_others(%x: tensor<1x?x64xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0, %1 = fuser.var_mean %x dims [0, 2] correction 1 : tensor<1x?x64xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// `any` makes a bool of its element; a dynamic dimension may have more than one.
// CHECK-LABEL: fuser.fusion @stays
// CHECK-NOT: squeeze
fuser.fusion @stays(%x: tensor<?x1xf32>, %y: tensor<?x?xf32>) -> (tensor<?xi1>, tensor<?xf32>) {
  %0 = fuser.any %x dims [1] : tensor<?x1xf32> -> tensor<?xi1>
  %1 = fuser.sum %y dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xi1>, tensor<?xf32>
}
