// RUN: fuser-run %s --device=host --check --program=split --sizes=7x64 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=split --sizes=1x64 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=split --sizes=0x64 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=merge --sizes=4x7x16 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=merge --sizes=4x1x16 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=merge --sizes=4x0x16 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=inner --sizes=3x32x32 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=inner --sizes=0x32x32 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=patches --sizes=3x8x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=patches --sizes=1x8x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=3x4x5 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=1x1x1 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=0x4x5 | FileCheck %s --check-prefix=CHECK
// Permutes between reshapes.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG
// CHECK: check {{.*}}output 0: ok

// Heads.
fuser.fusion @split(%x: tensor<?x64xf32>) -> tensor<4x?x16xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  %1 = fuser.permute %0 [1, 0, 2] : tensor<?x4x16xf32> -> tensor<4x?x16xf32>
  %2 = fuser.exp %1 : tensor<4x?x16xf32>
  fuser.return %2 : tensor<4x?x16xf32>
}

// And back.
fuser.fusion @merge(%x: tensor<4x?x16xf32>) -> tensor<?x64xf32> {
  %0 = fuser.exp %x : tensor<4x?x16xf32>
  %1 = fuser.permute %0 [1, 0, 2] : tensor<4x?x16xf32> -> tensor<?x4x16xf32>
  %2 = fuser.reshape %1 : tensor<?x4x16xf32> -> tensor<?x64xf32>
  fuser.return %2 : tensor<?x64xf32>
}

// The fastest dimension changes, and is merged.
fuser.fusion @inner(%x: tensor<?x32x32xf32>) -> tensor<?x1024xf32> {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x32x32xf32> -> tensor<?x32x32xf32>
  %1 = fuser.reshape %0 : tensor<?x32x32xf32> -> tensor<?x1024xf32>
  %2 = fuser.exp %1 : tensor<?x1024xf32>
  fuser.return %2 : tensor<?x1024xf32>
}

// Split, permuted, merged.
fuser.fusion @patches(%x: tensor<?x8x12xf32>) -> tensor<?x6x16xf32> {
  %0 = fuser.reshape %x : tensor<?x8x12xf32> -> tensor<?x2x4x3x4xf32>
  %1 = fuser.permute %0 [0, 1, 3, 2, 4] : tensor<?x2x4x3x4xf32> -> tensor<?x2x3x4x4xf32>
  %2 = fuser.reshape %1 : tensor<?x2x3x4x4xf32> -> tensor<?x6x16xf32>
  %3 = fuser.neg %2 : tensor<?x6x16xf32>
  fuser.return %3 : tensor<?x6x16xf32>
}

// Two orders of the same dynamic sizes, merged.
fuser.fusion @dynamic(%x: tensor<?x?x?xf32>) -> tensor<?x1xf32> {
  %0 = fuser.exp %x : tensor<?x?x?xf32>
  %1 = fuser.permute %0 [2, 0, 1] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %c2 = arith.constant 2 : index
  %2 = fuser.reshape %x : tensor<?x?x?xf32> -> tensor<?xf32>
  %3 = fuser.reshape %1 : tensor<?x?x?xf32> -> tensor<?xf32>
  %4 = fuser.add %2, %3 : tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  fuser.return %5 : tensor<?x1xf32>
}
