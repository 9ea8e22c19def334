// Signed maxima and minima of negations, of every width: an assembler of GPUs loses some (docs/adr/0049-negations-beside-minima.md).
// RUN: fuser-run %s --device=host --program=i32 --sizes=16x33 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=i16 --sizes=16x33 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=i8 --sizes=16x33 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=rows --sizes=3x513 --check | FileCheck %s

// CHECK: output 0: ok
fuser.fusion @i32(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %minus = fuser.neg %x : tensor<?x?xi32>
  %0 = fuser.max %minus dims [0] : tensor<?x?xi32> -> tensor<?xi32>
  fuser.return %0 : tensor<?xi32>
}

fuser.fusion @i16(%x: tensor<?x?xi16>) -> tensor<?xi16> {
  %minus = fuser.neg %x : tensor<?x?xi16>
  %0 = fuser.min %minus dims [0] : tensor<?x?xi16> -> tensor<?xi16>
  fuser.return %0 : tensor<?xi16>
}

fuser.fusion @i8(%x: tensor<?x?xi8>) -> tensor<?xi8> {
  %minus = fuser.neg %x : tensor<?x?xi8>
  %0 = fuser.max %minus dims [0] : tensor<?x?xi8> -> tensor<?xi8>
  fuser.return %0 : tensor<?xi8>
}

fuser.fusion @rows(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %square = fuser.mul %x, %x : tensor<?x?xi32>
  %minus = fuser.neg %square : tensor<?x?xi32>
  %most = fuser.maximum %x, %minus : tensor<?x?xi32>
  %0 = fuser.max %most dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  fuser.return %0 : tensor<?xi32>
}
