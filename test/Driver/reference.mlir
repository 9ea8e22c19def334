// RUN: fuser-run %s --device=reference --program=scale --sizes=3x7,7 --scalar s=0.5 --check | FileCheck %s --check-prefix=SCALE
// RUN: fuser-run %s --device=reference --program=scale --size x=0x7 --size 1=7 --check | FileCheck %s --check-prefix=EMPTY
// RUN: fuser-run %s --device=reference --program=point --check | FileCheck %s --check-prefix=POINT
// RUN: fuser-run %s --device=reference --program=scale | FileCheck %s --check-prefix=DEFAULT
// RUN: fuser-run %s --device=reference --program=scale --save-output=%t.npy
// RUN: fuser-run %s --device=reference --program=scale --input x=%t.0.npy --size w=128 | FileCheck %s --check-prefix=FILE
// Arguments by name, by number and from a file; empty and rank-0 tensors.

// SCALE:      program     @scale
// SCALE-NEXT: arguments   x: 3x7xf32
// SCALE-NEXT:             w: 7xf32
// SCALE-NEXT:             s: f32 = 0.5
// SCALE-NEXT: device      reference
// SCALE-NEXT: outputs     0: 3x7xf32
// SCALE-NEXT:             1: 3x7xbool
// SCALE-NEXT: check       output 0: ok, 21 elements
// SCALE-NEXT:             output 1: ok, 21 elements

// EMPTY: outputs     0: 0x7xf32
// EMPTY: output 0: ok, 0 elements

// Where no sizes are given at all, dynamic dimensions have one.
// DEFAULT: x: 128x128xf32
// DEFAULT: w: 128xf32

// FILE: x: 128x128xf32
fuser.fusion @scale(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %s: f32) -> (tensor<?x?xf32>, tensor<?x?xi1>) {
  %0 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.add %1, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %3 = fuser.lt %2, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xi1>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x?xi1>
}

// POINT: arguments   x: i64
// POINT: outputs     0: i64
// POINT: output 0: ok, 1 elements
fuser.fusion @point(%x: tensor<i64>) -> tensor<i64> {
  %0 = fuser.add %x, %x : tensor<i64>
  fuser.return %0 : tensor<i64>
}
