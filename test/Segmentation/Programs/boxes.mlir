// RUN: fuser-run %s --device=host --check --program=parts --sizes=9x64,5x256 --scalar o=3 --scalar n=5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts --sizes=1x64,0x256 --scalar o=1 --scalar n=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts --sizes=130x64,127x256 --scalar o=2 --scalar n=127 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop --sizes=77x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows_of_reduction --sizes=9x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows_of_reduction --sizes=300x7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=every_other --sizes=9x34 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=halves --sizes=6x128,6x64,6x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=halves --sizes=33x128,33x64,33x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=between --sizes=16x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=join --sizes=3x8,5x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=join --sizes=0x8,5x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=join --sizes=129x33,1x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=join_reductions --sizes=12x40,12x41 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=join_reductions --sizes=1x1,1x300 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=update --sizes=9x4x8,2x4x8 --scalar at=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=update --sizes=9x4x8,9x4x8 --scalar at=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=update --sizes=1x4x8,0x4x8 --scalar at=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=patch --sizes=8x8,3x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=views --sizes=6x10 | FileCheck %s --check-prefix=VIEWS
// RUN: fuser-opt %s --fuser-phase-segmentation | fuser-run - --device=reference --program=join --sizes=3x8,5x8 | FileCheck %s --check-prefix=HOST
// S2.4 to S2.8: kernels that are rebased to boxes, and that write parts, give the reference's results, and touch nothing
// outside of their boxes (--check holds them to it).

// CHECK: check {{.*}} ok
// HOST: outputs 0: 8x8xf32

fuser.fusion @parts(%x: tensor<?x64xf32>, %y: tensor<?x256xf32>, %o: index, %n: index) -> tensor<?x64xf32> {
  %rows = fuser.slice %x [%o, 0] [%n, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %y, %c0 : tensor<?x256xf32>
  %columns = fuser.slice %y [0, 128] [%m, 64] : tensor<?x256xf32> -> tensor<?x64xf32>
  %0 = fuser.mul %rows, %columns : tensor<?x64xf32>
  fuser.return %0 : tensor<?x64xf32>
}

fuser.fusion @crop(%x: tensor<?x33xbf16>, %v: f32) -> tensor<?x35xbf16> attributes {facts = [#fuser.fact<at_least 0[0], 8>]} {
  %0 = fuser.pad %x low [-3, 0] high [-2, 0] value %v : tensor<?x33xbf16>, f32 -> tensor<?x33xbf16>
  %1 = fuser.neg %0 : tensor<?x33xbf16>
  %2 = fuser.pad %1 low [0, 1] high [1, 1] value %v : tensor<?x33xbf16>, f32 -> tensor<?x35xbf16>
  fuser.return %2 : tensor<?x35xbf16>
}

fuser.fusion @rows_of_reduction(%x: tensor<?x?xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = fuser.slice %x [2, 0] [4, %n] : tensor<?x?xf32> -> tensor<4x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<4x?xf32> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

fuser.fusion @every_other(%x: tensor<?x34xf32>) -> tensor<4x17xf32> {
  %0 = fuser.slice %x [1, 1] [4, 17] strides [2, 2] : tensor<?x34xf32> -> tensor<4x17xf32>
  %1 = fuser.exp %0 : tensor<4x17xf32>
  fuser.return %1 : tensor<4x17xf32>
}

// The rotation of halves.
fuser.fusion @halves(%x: tensor<?x128xbf16>, %c: tensor<?x64xbf16>, %s: tensor<?x64xbf16>) -> tensor<?x128xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x128xbf16>
  %a = fuser.slice %x [0, 0] [%n, 64] : tensor<?x128xbf16> -> tensor<?x64xbf16>
  %b = fuser.slice %x [0, 64] [%n, 64] : tensor<?x128xbf16> -> tensor<?x64xbf16>
  %ac = fuser.mul %a, %c : tensor<?x64xbf16>
  %bs = fuser.mul %b, %s : tensor<?x64xbf16>
  %bc = fuser.mul %b, %c : tensor<?x64xbf16>
  %as = fuser.mul %a, %s : tensor<?x64xbf16>
  %0 = fuser.sub %ac, %bs : tensor<?x64xbf16>
  %1 = fuser.add %bc, %as : tensor<?x64xbf16>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<?x64xbf16>, tensor<?x64xbf16>) -> tensor<?x128xbf16>
  fuser.return %2 : tensor<?x128xbf16>
}

fuser.fusion @between(%x: tensor<?x24xf32>) -> tensor<3x7xf32> {
  %0 = fuser.relu %x : tensor<?x24xf32>
  %1 = fuser.segment_set %0 : tensor<?x24xf32>
  %2 = fuser.slice %1 [2, 5] [3, 7] : tensor<?x24xf32> -> tensor<3x7xf32>
  %3 = fuser.exp %2 : tensor<3x7xf32>
  fuser.return %3 : tensor<3x7xf32>
}

fuser.fusion @join(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %a : tensor<?x?xf32>
  %1 = fuser.exp %b : tensor<?x?xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// S2.6: what follows the join reads all of it.
fuser.fusion @join_reductions(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %a dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %b dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = fuser.segment_set %2 : tensor<?xf32>
  %4 = fuser.neg %3 : tensor<?xf32>
  fuser.return %4 : tensor<?xf32>
}

fuser.fusion @update(%cache: tensor<?x4x8xf32>, %new: tensor<?x4x8xf32>, %at: index) -> tensor<?x4x8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.exp %new : tensor<?x4x8xf32>
  %1 = fuser.insert_slice %0 into %cache [%at, 0, 0] : tensor<?x4x8xf32> into tensor<?x4x8xf32>
  fuser.return %1 : tensor<?x4x8xf32>
}

fuser.fusion @patch(%x: tensor<8x8xf32>, %y: tensor<3x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.exp %x : tensor<8x8xf32>
  %1 = fuser.neg %y : tensor<3x8xf32>
  %2 = fuser.insert_slice %1 into %0 [2, 0] : tensor<3x8xf32> into tensor<8x8xf32>
  fuser.return %2 : tensor<8x8xf32>
}

// Outputs that are parts of an argument, and an intermediate that is one, need no kernel.
// VIEWS: views_0: grid
// VIEWS: views_1: grid
// VIEWS-NOT: views_2
// VIEWS: outputs 0: 10x6xf32, strides [1, 10]
// VIEWS: check output 0: ok
// VIEWS: output 1: ok
// VIEWS: output 2: ok
fuser.fusion @views(%x: tensor<6x?xf32>) -> (tensor<?x6xf32>, tensor<3x?x1xf32>, tensor<?x3xf32>) {
  %0 = fuser.permute %x [1, 0] : tensor<6x?xf32> -> tensor<?x6xf32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<6x?xf32>
  %1 = fuser.slice %x [1, 0] [3, %n] strides [2, 1] : tensor<6x?xf32> -> tensor<3x?xf32>
  %2 = fuser.broadcast %1 dims [2] : tensor<3x?xf32> -> tensor<3x?x1xf32>
  %3 = fuser.permute %1 [1, 0] : tensor<3x?xf32> -> tensor<?x3xf32>
  %4 = fuser.segment_set %3 : tensor<?x3xf32>
  %5 = fuser.mul %4, %4 : tensor<?x3xf32>
  fuser.return %0, %2, %5 : tensor<?x6xf32>, tensor<3x?x1xf32>, tensor<?x3xf32>
}
