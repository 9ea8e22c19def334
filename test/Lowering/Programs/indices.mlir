// RUN: fuser-run %s --device=host --check --program=gather --size x=4x6 --size i=3x10 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=gather --size x=40x600 --size i=40x300 --range i=-5:610 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=take --size x=4x6 --size i=1x10 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=select --size x=40x65 --size i=200 --range i=-3:43 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=select --size x=0x65 --size i=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tokens --sizes=37x130,3x5 --range i=-3:40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tokens --sizes=7x16,1x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tokens --sizes=7x16,0x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=tokens --sizes=0x16,2x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sums_of_columns --sizes=9x11x40,4x6 --range i=-1:44 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_row --size x=5x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=far --size x=10 --size i=64 --range i=4294967290:4294967306 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=iota --scalar n=1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=iota --scalar n=0 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Indices that are data are compared before they are shortened and used; outside there is 0.

// CHECK: check {{.*}} ok

// IR-LABEL: gpu.func @gather_0
// IR: %[[AT:.*]] = vector.extract {{.*}} : i64 from vector<2xi64>
// IR-DAG: arith.cmpi ult, %[[AT]], %{{.*}} : i64
// IR-DAG: arith.index_cast %[[AT]] : i64 to index
// IR: scf.if
// IR: memref.load
fuser.fusion @gather(%x: tensor<?x?xf32>, %i: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %0 = fuser.gather %x, %i dim 1 : tensor<?x?xf32>, tensor<?x?xi64> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @take(%x: tensor<?x?xf32>, %i: tensor<1x?xi32>) -> tensor<?x?xf32> {
  %0 = fuser.take_along_axis %x, %i dim 1 : tensor<?x?xf32>, tensor<1x?xi32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @select(%x: tensor<?x?xbf16>, %i: tensor<?xi64>) -> tensor<?x?xbf16> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<?x?xbf16>, tensor<?xi64> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// Dimensions of the index, any number of them, are those of the result.
fuser.fusion @tokens(%x: tensor<?x?xbf16>, %i: tensor<?x?xi64>) -> tensor<?x?x?xbf16> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<?x?xbf16>, tensor<?x?xi64> -> tensor<?x?x?xbf16>
  %1 = fuser.relu %0 : tensor<?x?x?xbf16>
  fuser.return %1 : tensor<?x?x?xbf16>
}

fuser.fusion @sums_of_columns(%x: tensor<?x?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?x?xf32> {
  %0 = fuser.index_select %x, %i dim 2 : tensor<?x?x?xf32>, tensor<?x?xi32> -> tensor<?x?x?x?xf32>
  %1 = fuser.sum %0 dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %1 : tensor<?x?x?xf32>
}

fuser.fusion @one_row(%x: tensor<?x?xf32>, %i: tensor<i64>) -> tensor<?xf32> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<?x?xf32>, tensor<i64> -> tensor<?xf32>
  %1 = fuser.exp %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Indices whose low 32 bits would lie inside.
fuser.fusion @far(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %0 = fuser.gather %x, %i dim 0 : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.fusion @iota(%x: f32, %y: f32, %n: index) -> tensor<?xf32> {
  %0 = fuser.iota %x, %y length(%n) : f32, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
