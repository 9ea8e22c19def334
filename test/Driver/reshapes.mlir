// RUN: fuser-run %s --device=host --program=alone --size x=3x5x64 --check | FileCheck %s --check-prefix=ALONE
// RUN: fuser-run %s --device=host --program=alone --size x=0x5x64 --check
// RUN: fuser-run %s --device=host --program=pitch --check | FileCheck %s --check-prefix=PITCH
// RUN: fuser-run %s --device=host --program=columns --check
// RUN: fuser-run %s --device=host --program=heads --size x=10x64 --check | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --program=flat --size x=7x9 --check | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --program=flat --size x=1x1 --check
// RUN: fuser-run %s --device=host --program=flat --size x=0x9 --check
// RUN: fuser-run %s --device=host --program=permuted --size x=7x9x4 --check | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --program=between --size x=7x9 --check
// RUN: fuser-run %s --device=host --program=dynamic --size x=3x5x12x16x6 --check
// RUN: fuser-run %s --device=host --program=dynamic --size x=3x1x12x4x6 --check
// RUN: fuser-run %s --device=host --program=rows --size x=4x6 --check
// RUN: not fuser-run %s --device=host --program=rows --size x=5x6 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: fuser-run %s --device=host --program=product --size x=3x7 --size y=21 --check
// RUN: not fuser-run %s --device=host --program=product --size x=3x7 --size y=20 2>&1 | FileCheck %s --check-prefix=PRODUCT
// Reshapes as views of arguments, outputs and values between kernels, with dynamic sizes that multiply out or do not.

// ALONE-NOT: kernels
// ALONE: check       output 0: ok
fuser.fusion @alone(%x: tensor<?x?x64xbf16>) -> tensor<?x?x4x16xbf16> {
  %0 = fuser.reshape %x : tensor<?x?x64xbf16> -> tensor<?x?x4x16xbf16>
  fuser.return %0 : tensor<?x?x4x16xbf16>
}

// PITCH: kernels     pitch_0:
// PITCH-NOT: pitch_1
fuser.fusion @pitch(%x: tensor<6x10xf32>) -> (tensor<60xf32>, tensor<3x2x5x2xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0], strided = [0, 1]>]} {
  %0 = fuser.reshape %x : tensor<6x10xf32> -> tensor<60xf32>
  %1 = fuser.reshape %x : tensor<6x10xf32> -> tensor<3x2x5x2xf32>
  fuser.return %0, %1 : tensor<60xf32>, tensor<3x2x5x2xf32>
}

fuser.fusion @columns(%x: tensor<8x4x16xf32>) -> (tensor<32x6xf32>, tensor<8x24xf32>, tensor<3x64xf32>) {
  %0 = fuser.slice %x [0, 0, 5] [8, 4, 6] : tensor<8x4x16xf32> -> tensor<8x4x6xf32>
  %1 = fuser.reshape %0 : tensor<8x4x6xf32> -> tensor<32x6xf32>
  %2 = fuser.neg %1 : tensor<32x6xf32>
  %3 = fuser.reshape %0 : tensor<8x4x6xf32> -> tensor<8x24xf32>
  %4 = fuser.slice %x [2, 0, 0] [3, 4, 16] : tensor<8x4x16xf32> -> tensor<3x4x16xf32>
  %5 = fuser.reshape %4 : tensor<3x4x16xf32> -> tensor<3x64xf32>
  fuser.return %2, %3, %5 : tensor<32x6xf32>, tensor<8x24xf32>, tensor<3x64xf32>
}

// ONE: kernels     {{[a-z]+}}_0:
// ONE-NOT: _1:
// ONE: check       output 0: ok
fuser.fusion @heads(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  %1 = fuser.sum %0 dims [2] : tensor<?x4x16xf32> -> tensor<?x4xf32>
  %2 = fuser.broadcast %1 dims [2] : tensor<?x4xf32> -> tensor<?x4x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x4x16xf32>, tensor<?x4x1xf32>) -> tensor<?x4x16xf32>
  %4 = fuser.reshape %3 : tensor<?x4x16xf32> -> tensor<?x64xf32>
  fuser.return %4 : tensor<?x64xf32>
}

fuser.fusion @flat(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @permuted(%x: tensor<?x?x4xf32>) -> (tensor<?x4xf32>, tensor<4x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.reshape %0 : tensor<?x?x4xf32> -> tensor<?x4xf32>
  %3 = fuser.permute %2 [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  fuser.return %1, %3 : tensor<?x4xf32>, tensor<4x?xf32>
}

fuser.fusion @between(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.cumsum %2 dim 0 : tensor<?xf32> -> tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @dynamic(%x: tensor<3x?x12x?x6xf32>) -> tensor<?x3x4x?x8x3xf32> {
  %0 = fuser.exp %x : tensor<3x?x12x?x6xf32>
  %1 = fuser.reshape %0 : tensor<3x?x12x?x6xf32> -> tensor<?x3x4x?x8x3xf32>
  fuser.return %1 : tensor<?x3x4x?x8x3xf32>
}

// ROWS: expected x.size[0] * 6 == ceildiv(x.size[0] * 6, 8) * 8 (sizes of 'fuser.reshape'), but got 30 and 32
fuser.fusion @rows(%x: tensor<?x6xf32>) -> tensor<?x8xf32> {
  %0 = fuser.reshape %x : tensor<?x6xf32> -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// PRODUCT: expected x.size[0] * x.size[1] == y.size[0] (sizes of 'fuser.add'), but got 21 and 20
fuser.fusion @product(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.add %1, %y : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
