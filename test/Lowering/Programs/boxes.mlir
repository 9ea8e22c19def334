// RUN: fuser-run %s --device=host --check --program=pad --size x=3x7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad --size x=0x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad --size x=200x31 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_by --size x=3x7 --scalar l=2 --scalar h=-3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_by --size x=3x7 --scalar l=-2 --scalar h=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat --size x=3x7 --size y=3x4 --size z=3x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat --size x=3x0 --size y=3x400 --size z=3x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert --size x=2x3 --size y=5x9 --scalar o=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert --size x=2x9 --size y=3x9 --scalar o=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=slice --size x=9x40 --scalar o=3 --scalar n=5 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Memory is read only where the operand has an element. S2.6: amounts of padding may be dynamic, and negative.

// CHECK: check {{.*}} ok

// IR-LABEL: gpu.func @pad_0
// IR: scf.if
// IR-NEXT: %[[LOADED:.*]] = memref.load
// IR-NEXT: memref.store %[[LOADED]], %[[REGISTERS:.*]][
// Registers are read without a branch.
// IR: %[[ELEMENT:.*]] = memref.load %[[REGISTERS]]
// IR-NEXT: arith.select %{{.*}}, %[[ELEMENT]], %arg1
fuser.fusion @pad(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.pad %x low [1, 2] high [3, -1] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @pad_by(%x: tensor<?x?xbf16>, %v: f32, %l: index, %h: index) -> tensor<?x?xbf16> {
  %0 = fuser.pad %x low [%l, 0] high [0, %h] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

fuser.fusion @cat(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cat %x, %y, %z dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @insert(%x: tensor<2x?xi32>, %y: tensor<?x?xi32>, %o: index) -> tensor<?x?xi32> {
  %0 = fuser.insert_slice %x into %y [1, %o] : tensor<2x?xi32> into tensor<?x?xi32>
  fuser.return %0 : tensor<?x?xi32>
}

// A slice promises to lie inside; as an output it is a view, and where a kernel reads it the host function names the part.
// IR-LABEL: gpu.func @slice_0
// IR-NOT: scf.if {{.*}} ->
fuser.fusion @slice(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<4x?xf32> {
  %0 = fuser.slice %x [2, %o] [4, %n] strides [1, 7] : tensor<?x?xf32> -> tensor<4x?xf32>
  %1 = fuser.neg %0 : tensor<4x?xf32>
  fuser.return %1 : tensor<4x?xf32>
}
