// RUN: fuser-run %s --device=host --check --program=pad_between --size x=3x7 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=pad_between --size x=40x129 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=pad_between --size x=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_twice --size x=9x64 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=pad_rows --size x=9x64 --size b=64 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=pad_and_keep --size x=5x33 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=cat_computed --size x=7x24 --size y=7x40 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=cat_arguments --size x=7x3 --size y=7x30 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=slice_computed --size x=9x64 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=embed --size table=50x64 --size ids=33 --size bias=64 --range ids=-1:52 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=computed_index --size x=5x60 --size i=5x77 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=count_on --size x=300 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=pad_and_shift --size x=5x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_one --size x=5x1 --size y=5x4 | FileCheck %s
// Ops that read at an offset or at data are fused with what they read and with what reads them.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0: grid
// ONE-NOT: {{[a-z_]+}}_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// The border is filled at the pad, and what follows sees it.
fuser.fusion @pad_between(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.pad %0 low [1, 2] high [3, 1] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %2 = fuser.mul %1, %v : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

fuser.fusion @pad_twice(%x: tensor<?x64xf32>, %v: f32, %w: f32) -> tensor<?x80xf32> {
  %0 = fuser.exp %x : tensor<?x64xf32>
  %1 = fuser.pad %0 low [0, 4] high [0, 4] value %v : tensor<?x64xf32>, f32 -> tensor<?x72xf32>
  %2 = fuser.neg %1 : tensor<?x72xf32>
  %3 = fuser.pad %2 low [0, 8] high [0, 0] value %w : tensor<?x72xf32>, f32 -> tensor<?x80xf32>
  %4 = fuser.exp %3 : tensor<?x80xf32>
  fuser.return %4 : tensor<?x80xf32>
}

// Vectors along columns stay whole.
fuser.fusion @pad_rows(%x: tensor<?x64xbf16>, %b: tensor<64xbf16>, %v: f32) -> tensor<?x64xbf16> {
  %0 = fuser.broadcast %b dims [0] : tensor<64xbf16> -> tensor<1x64xbf16>
  %1 = fuser.add %x, %0 : (tensor<?x64xbf16>, tensor<1x64xbf16>) -> tensor<?x64xbf16>
  %2 = fuser.pad %1 low [2, 0] high [3, 0] value %v : tensor<?x64xbf16>, f32 -> tensor<?x64xbf16>
  %3 = fuser.relu %2 : tensor<?x64xbf16>
  fuser.return %3 : tensor<?x64xbf16>
}

fuser.fusion @pad_and_keep(%x: tensor<?x?xf32>, %v: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.pad %0 low [2, 0] high [0, 5] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @cat_computed(%x: tensor<?x24xf32>, %y: tensor<?x40xf32>) -> tensor<?x64xf32> {
  %0 = fuser.exp %x : tensor<?x24xf32>
  %1 = fuser.neg %y : tensor<?x40xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x24xf32>, tensor<?x40xf32>) -> tensor<?x64xf32>
  %3 = fuser.exp %2 : tensor<?x64xf32>
  fuser.return %3 : tensor<?x64xf32>
}

fuser.fusion @cat_arguments(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

fuser.fusion @slice_computed(%x: tensor<?x64xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %0 = fuser.exp %x : tensor<?x64xf32>
  %1 = fuser.slice %0 [0, 8] [%n, 16] : tensor<?x64xf32> -> tensor<?x16xf32>
  %2 = fuser.neg %1 : tensor<?x16xf32>
  fuser.return %2 : tensor<?x16xf32>
}

fuser.fusion @embed(%table: tensor<?x64xf32>, %ids: tensor<?xi64>, %bias: tensor<64xf32>) -> tensor<?x64xf32> {
  %0 = fuser.index_select %table, %ids dim 0 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  %1 = fuser.broadcast %bias dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %2 = fuser.add %0, %1 : (tensor<?x64xf32>, tensor<1x64xf32>) -> tensor<?x64xf32>
  fuser.return %2 : tensor<?x64xf32>
}

fuser.fusion @computed_index(%x: tensor<?x?xf32>, %i: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %0 = fuser.mul %i, %i : tensor<?x?xi64>
  %1 = fuser.gather %x, %0 dim 1 : tensor<?x?xf32>, tensor<?x?xi64> -> tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

fuser.fusion @count_on(%x: tensor<?xf32>, %a: f32, %b: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = fuser.iota %a, %b length(%n) : f32, f32 -> tensor<?xf32>
  %1 = fuser.add %x, %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @pad_of_one(%x: tensor<?x1xf32>, %y: tensor<?x4xf32>, %v: f32) -> tensor<?x4xf32> {
  %0 = fuser.exp %x : tensor<?x1xf32>
  %1 = fuser.pad %0 low [0, 2] high [0, 1] value %v : tensor<?x1xf32>, f32 -> tensor<?x4xf32>
  %2 = fuser.add %1, %y : tensor<?x4xf32>
  fuser.return %2 : tensor<?x4xf32>
}

// Read at its own index and, behind a pad, at the next one.
fuser.fusion @pad_and_shift(%x: tensor<?x64xf32>, %v: f32) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %0 = fuser.exp %x : tensor<?x64xf32>
  %1 = fuser.pad %0 low [0, 1] high [0, 1] value %v : tensor<?x64xf32>, f32 -> tensor<?x66xf32>
  %2 = fuser.slice %1 [0, 0] [%n, 64] : tensor<?x66xf32> -> tensor<?x64xf32>
  %3 = fuser.add %2, %0 : tensor<?x64xf32>
  fuser.return %3 : tensor<?x64xf32>
}
