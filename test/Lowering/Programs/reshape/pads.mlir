// RUN: fuser-run %s --device=host --check --program=between --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=between --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=between --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=before --sizes=5x10 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=before --sizes=0x10 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=after --sizes=5x3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=after --sizes=0x3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=norm --sizes=5x3x4 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=norm --sizes=0x3x4 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=slice --sizes=5x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=slice --sizes=0x12 | FileCheck %s --check-prefix=CHECK
// Pads and slices next to reshapes.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG
// CHECK: check {{.*}}output 0: ok

// A part is padded, and merged again.
fuser.fusion @between(%x: tensor<?x12xf32>, %v: f32) -> tensor<?x20xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x4x3xf32>
  %2 = fuser.pad %1 low [0, 0, 1] high [0, 0, 1] value %v : tensor<?x4x3xf32>, f32 -> tensor<?x4x5xf32>
  %3 = fuser.reshape %2 : tensor<?x4x5xf32> -> tensor<?x20xf32>
  %4 = fuser.neg %3 : tensor<?x20xf32>
  fuser.return %4 : tensor<?x20xf32>
}

// What is padded is split.
fuser.fusion @before(%x: tensor<?x10xf32>, %v: f32) -> tensor<?x3x4xf32> {
  %0 = fuser.exp %x : tensor<?x10xf32>
  %1 = fuser.pad %0 low [0, 1] high [0, 1] value %v : tensor<?x10xf32>, f32 -> tensor<?x12xf32>
  %2 = fuser.reshape %1 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %3 = fuser.neg %2 : tensor<?x3x4xf32>
  fuser.return %3 : tensor<?x3x4xf32>
}

// What is merged is padded.
fuser.fusion @after(%x: tensor<?x3x4xf32>, %v: f32) -> tensor<?x15xf32> {
  %0 = fuser.exp %x : tensor<?x3x4xf32>
  %1 = fuser.reshape %0 : tensor<?x3x4xf32> -> tensor<?x12xf32>
  %2 = fuser.pad %1 low [0, 2] high [0, 1] value %v : tensor<?x12xf32>, f32 -> tensor<?x15xf32>
  %3 = fuser.neg %2 : tensor<?x15xf32>
  fuser.return %3 : tensor<?x15xf32>
}

// After a reduction of what is merged.
fuser.fusion @norm(%x: tensor<?x3x4xf32>, %v: f32) -> tensor<?x15xf32> {
  %0 = fuser.reshape %x : tensor<?x3x4xf32> -> tensor<?x12xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x12xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.div %0, %2 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %4 = fuser.pad %3 low [0, 2] high [0, 1] value %v : tensor<?x12xf32>, f32 -> tensor<?x15xf32>
  fuser.return %4 : tensor<?x15xf32>
}

// A range of a part.
fuser.fusion @slice(%x: tensor<?x12xf32>) -> tensor<?x2x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x12xf32>
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.slice %1 [0, 1, 0] [%n, 2, 4] : tensor<?x3x4xf32> -> tensor<?x2x4xf32>
  %3 = fuser.neg %2 : tensor<?x2x4xf32>
  fuser.return %3 : tensor<?x2x4xf32>
}
