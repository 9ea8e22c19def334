// RUN: fuser-run %s --device=host --check --program=pitch --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=pitch --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=pitch --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=pitch_merged --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=pitch_merged --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=pitch_merged --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=strided --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=strided --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=strided --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted_merged --sizes=5x3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted_merged --sizes=0x3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted_dynamic --sizes=5x7 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted_dynamic --sizes=1x7 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted_dynamic --sizes=7x1 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=permuted_dynamic --sizes=0x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=channels_last --sizes=3x8x5x7 | FileCheck %s --check-prefix=STEPS
// RUN: fuser-run %s --device=host --check --program=channels_last --sizes=1x8x1x1 | FileCheck %s --check-prefix=STEPS
// RUN: fuser-run %s --device=host --check --program=channels_last --sizes=2x8x0x3 | FileCheck %s --check-prefix=STEPS
// Arguments that are not contiguous, or not row major.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// STEPS: channels_last_1:
// STEPS: check {{.*}}output 0: ok
// ONE-NOT: WRONG

// Rows with a pitch are split.
fuser.fusion @pitch(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  fuser.return %1 : tensor<?x3x4xf32>
}

// Rows with a pitch are merged.
fuser.fusion @pitch_merged(%x: tensor<?x12xf32>) -> tensor<?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Both dimensions have strides.
fuser.fusion @strided(%x: tensor<?x12xf32>) -> tensor<?x3xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0, 1]>]} {
  %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %1 = fuser.sum %0 dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  fuser.return %1 : tensor<?x3xf32>
}

// Column major, split.
fuser.fusion @permuted(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %1 = fuser.exp %0 : tensor<?x3x4xf32>
  fuser.return %1 : tensor<?x3x4xf32>
}

// The merged dimensions are no neighbours in memory.
fuser.fusion @permuted_merged(%x: tensor<?x3x4xf32>) -> tensor<?x12xf32> attributes {arg_layouts = [#fuser.layout<order = [2, 0, 1]>]} {
  %0 = fuser.exp %x : tensor<?x3x4xf32>
  %1 = fuser.reshape %0 : tensor<?x3x4xf32> -> tensor<?x12xf32>
  fuser.return %1 : tensor<?x12xf32>
}

// They are neighbours in the other order, of dynamic sizes.
fuser.fusion @permuted_dynamic(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// Groups of channels that lie fastest: the pixels first, then the channels of a group.
fuser.fusion @channels_last(%x: tensor<?x8x?x?xf32>) -> tensor<?x2xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.reshape %x : tensor<?x8x?x?xf32> -> tensor<?x2x4x?x?xf32>
  %1 = fuser.mean %0 dims [2, 3, 4] : tensor<?x2x4x?x?xf32> -> tensor<?x2xf32>
  fuser.return %1 : tensor<?x2xf32>
}
