// Vectors that cross the ends of rows, and end beyond the last element: rows of any length with an operand per column, per row,
// or at an offset.
// RUN: fuser-run %s --device=host --program=columns --sizes=13x7,7 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=1003x97,97 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=8x1001,1001 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=301x3,3 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=301x9,9 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=1x1,1 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=0x5,5 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=rows --sizes=301x9,301x1 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=rows --sizes=17x1001,17x1 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=offset --sizes=301x9 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=offset --sizes=33x777 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=offset --sizes=5x1 --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=part --check | FileCheck %s --check-prefix=OK
// RUN: fuser-run %s --device=host --program=columns --sizes=1003x97,97 --no-run --dump-after=choose | FileCheck %s --check-prefix=RAGGED
// RUN: fuser-run %s --device=host --program=rows --sizes=17x1001,17x1 --no-run --dump-after=choose | FileCheck %s --check-prefix=RAGGED
// RUN: fuser-run %s --device=host --program=offset --sizes=33x777 --no-run --dump-after=choose | FileCheck %s --check-prefix=RAGGED

// OK: check       output 0: ok
// RAGGED: ragged = true
fuser.fusion @columns(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.mul %0, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.cast %3 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %4 : tensor<?x?xbf16>
}

fuser.fusion @rows(%x: tensor<?x?xf32>, %s: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @offset(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = arith.constant 2.0 : f32
  %0 = fuser.pad %x low [0, 1] high [0, 3] value %c : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %1 = fuser.mul %0, %c : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

fuser.fusion @part(%x: tensor<301x9xf32>) -> tensor<301x5xf32> {
  %0 = fuser.slice %x [0, 3] [301, 5] : tensor<301x9xf32> -> tensor<301x5xf32>
  %1 = fuser.exp %0 : tensor<301x5xf32>
  fuser.return %1 : tensor<301x5xf32>
}
