// RUN: fuser-run %s --device=host --check --program=after --sizes=5x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=after --sizes=1x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=after --sizes=0x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=before --sizes=5x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=before --sizes=0x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=between --sizes=5x7 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=between --sizes=1x5 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=between --sizes=0x5 | FileCheck %s --check-prefix=CHECK
// Scans of what a reshape merges, and reshapes of what was scanned: in one kernel, or views.

// CHECK: check {{.*}}output 0: ok

// Of a part.
fuser.fusion @after(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.cumsum %1 dim 2 : tensor<?x3x4xf32> -> tensor<?x3x4xf32>
  fuser.return %2 : tensor<?x3x4xf32>
}

// Of the whole, which is split.
fuser.fusion @before(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %1 = fuser.cumsum %x dim 1 : tensor<?x12xf32> -> tensor<?x12xf32>
  %2 = fuser.reshape %1 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %3 = fuser.neg %2 : tensor<?x3x4xf32>
  fuser.return %3 : tensor<?x3x4xf32>
}

// Of merged dynamic sizes, which are split by another factor.
fuser.fusion @between(%x: tensor<?x?xf32>) -> tensor<?x5xf32> {
  %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.cumsum %0 dim 0 : tensor<?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %1 : tensor<?xf32> -> tensor<?x5xf32>
  %3 = fuser.mul %2, %2 : tensor<?x5xf32>
  fuser.return %3 : tensor<?x5xf32>
}
