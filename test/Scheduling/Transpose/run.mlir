// RUN: fuser-run %s --device=host --check --program=nchw_to_nhwc --sizes=2x40x5x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=nchw_to_nhwc --sizes=1x64x8x16 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=16x33x5x13 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=channels_first --sizes=64x7x7x7x33,33 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=channels_first --sizes=3x5x6x35x64,64 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=rows_of_planes --sizes=68x9x288,9 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=64x3x33x65 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=64x3x32x64 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=32x65x11x13 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=16x2x33x66 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=16x4x33x35 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=channels_first --sizes=32x30x30x10x4,4 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=2x80000,2x80000,80000 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=80002x4,80002x4,4 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixed --sizes=4x3002,3002x4,4,3002 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixed --sizes=97x3001,3001x97,97,3001 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixed --sizes=3x20008,20008x3,3,20008 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=mixed --sizes=130x72,72x130,130,72 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=mixed --sizes=33x17,17x33,33,17 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=mixed --sizes=0x17,17x0,0,17 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=600x1000,600x1000,1000 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=1001x704,1001x704,704 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=704x1001,704x1001,1001 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=31x5001,31x5001,5001 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=5001x31,5001x31,31 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=2500x97,2500x97,97 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=2501x97,2501x97,97 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=97x2501,97x2501,2501 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixed --sizes=97x3005,3005x97,97,3005 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixed --sizes=3005x97,97x3005,3005,97 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixed --sizes=5x9001,9001x5,5,9001 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=16x2x33x65 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw_to_nhwc --sizes=8x9x32x64 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=channels_first --sizes=16x9x32x64x9,9 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=2x80001,2x80001,80001 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=sum_of_two --sizes=80001x4,80001x4,4 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=patches --sizes=3x40x64 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=patches --sizes=0x40x64 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=groups --sizes=40x32x8x96,40x32 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=patches_of_few --sizes=3x144x4,4 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=two_short --sizes=33x4x5x20x3,3x4x20 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --check-accesses --program=repeated --sizes=5x64x96 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --check-accesses --program=repeated --sizes=5x65x97 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --check-accesses --program=repeated --sizes=40x65x4 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rows_and_columns --sizes=60x130x90,90x130 | FileCheck %s --check-prefixes=CHECK,TILED
// RUN: fuser-run %s --device=host --target=h200 --check --program=rows_and_columns --sizes=60x131x91,91x131 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rows_and_columns --sizes=0x129x67,67x129 | FileCheck %s
// Tiles that fit and tiles that do not, vectors on both, one or no side, sides of 2, 3, 4 and 65 elements, more dimensions, operands
// of one row or column. A function of two arguments passes through one tile.
// Rows and columns of images are one side of a tile, unless a tensor has only one of them.
// Sides of at most 8 elements are those of threads, unless the long rows are odd.
// TILED: bytes of dynamic shared memory
// THREAD: block 256 (
// CHECK: check {{.*}} ok

fuser.fusion @nchw_to_nhwc(%x: tensor<?x?x?x?xbf16>) -> tensor<?x?x?x?xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.permute %x [0, 2, 3, 1] : tensor<?x?x?x?xbf16> -> tensor<?x?x?x?xbf16>
  %1 = fuser.relu %0 : tensor<?x?x?x?xbf16>
  fuser.return %1 : tensor<?x?x?x?xbf16>
}

fuser.fusion @mixed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.add %0, %y : tensor<?x?xf32>
  %2 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.mul %1, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.broadcast %c dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.mul %3, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}

fuser.fusion @channels_first(%x: tensor<?x?x?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?x?x?xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4>]} {
  %0 = fuser.permute %x [0, 4, 1, 2, 3] : tensor<?x?x?x?x?xf32> -> tensor<?x?x?x?x?xf32>
  %1 = fuser.broadcast %b dims [0, 2, 3, 4] : tensor<?xf32> -> tensor<1x?x1x1x1xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?x?x?x?xf32>, tensor<1x?x1x1x1xf32>) -> tensor<?x?x?x?x?xf32>
  fuser.return %2 : tensor<?x?x?x?x?xf32>
}

fuser.fusion @rows_of_planes(%x: tensor<?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?xf32>
    attributes {output_orders = [array<i64: 0, 1, 2>]} {
  %0 = fuser.permute %x [2, 0, 1] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %1 = fuser.broadcast %b dims [0, 1] : tensor<?xf32> -> tensor<1x1x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?x?xf32>, tensor<1x1x?xf32>) -> tensor<?x?x?xf32>
  fuser.return %2 : tensor<?x?x?xf32>
}

fuser.fusion @sum_of_two(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16>
    attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.add %x, %y : tensor<?x?xbf16>
  %1 = fuser.permute %0 [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  %2 = fuser.broadcast %b dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %3 = fuser.mul %1, %2 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %3 : tensor<?x?xbf16>
}

// Patches become images: two columns of each are next to those of the next patch.
fuser.fusion @patches(%x: tensor<?x40x64xbf16>) -> tensor<?x16x5x2x8x2xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %0 = fuser.reshape %x : tensor<?x40x64xbf16> -> tensor<?x5x8x2x2x16xbf16>
  %1 = fuser.permute %0 [0, 5, 1, 3, 2, 4] : tensor<?x5x8x2x2x16xbf16> -> tensor<?x16x5x2x8x2xbf16>
  %2 = fuser.relu %1 : tensor<?x16x5x2x8x2xbf16>
  fuser.return %2 : tensor<?x16x5x2x8x2xbf16>
}

// Four channels, and one column: both sides are extended, or neither is.
fuser.fusion @patches_of_few(%x: tensor<?x144x4xf32>, %b: tensor<4xf32>) -> tensor<?x4x12x12xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.reshape %x : tensor<?x144x4xf32> -> tensor<?x12x12x4xf32>
  %1 = fuser.permute %0 [0, 3, 1, 2] : tensor<?x12x12x4xf32> -> tensor<?x4x12x12xf32>
  %2 = fuser.broadcast %b dims [0, 2, 3] : tensor<4xf32> -> tensor<1x4x1x1xf32>
  %3 = fuser.add %1, %2 : (tensor<?x4x12x12xf32>, tensor<1x4x1x1xf32>) -> tensor<?x4x12x12xf32>
  fuser.return %3 : tensor<?x4x12x12xf32>
}

// Sides of 3 and 4 elements with 20 next to each, and an operand that has parts of both.
fuser.fusion @two_short(%x: tensor<?x4x5x20x3xf32>, %b: tensor<3x4x20xf32>) -> tensor<?x20x3x5x4xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4>]} {
  %0 = fuser.permute %x [0, 3, 4, 2, 1] : tensor<?x4x5x20x3xf32> -> tensor<?x20x3x5x4xf32>
  %1 = fuser.permute %b [2, 0, 1] : tensor<3x4x20xf32> -> tensor<20x3x4xf32>
  %2 = fuser.broadcast %1 dims [0, 3] : tensor<20x3x4xf32> -> tensor<1x20x3x1x4xf32>
  %3 = fuser.add %0, %2 : (tensor<?x20x3x5x4xf32>, tensor<1x20x3x1x4xf32>) -> tensor<?x20x3x5x4xf32>
  fuser.return %3 : tensor<?x20x3x5x4xf32>
}

// The eight channels of a group are a side together with the groups.
fuser.fusion @groups(%x: tensor<?x32x8x96xbf16>, %m: tensor<?x32xf32>) -> tensor<?x32x8x96xbf16>
    attributes {output_orders = [array<i64: 0, 3, 1, 2>]} {
  %0 = fuser.broadcast %m dims [2, 3] : tensor<?x32xf32> -> tensor<?x32x1x1xf32>
  %1 = fuser.cast %x : tensor<?x32x8x96xbf16> to tensor<?x32x8x96xf32>
  %2 = fuser.sub %1, %0 : (tensor<?x32x8x96xf32>, tensor<?x32x1x1xf32>) -> tensor<?x32x8x96xf32>
  %3 = fuser.cast %2 : tensor<?x32x8x96xf32> to tensor<?x32x8x96xbf16>
  fuser.return %3 : tensor<?x32x8x96xbf16>
}

// Arguments that lack the dimension of their repetitions.
fuser.fusion @repeated(%x: tensor<?x?x?xbf16>) -> tensor<?x3x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1]>], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.broadcast %x dims [1] : tensor<?x?x?xbf16> -> tensor<?x1x?x?xbf16>
  %1 = fuser.expand %0 : tensor<?x1x?x?xbf16> -> tensor<?x3x?x?xbf16>
  fuser.return %1 : tensor<?x3x?x?xbf16>
}

fuser.fusion @rows_and_columns(%x: tensor<?x?x?xf32>, %y: tensor<?x?xbf16>) -> tensor<?x?x?xf32>
    attributes {output_orders = [array<i64: 0, 1, 2>]} {
  %0 = fuser.permute %y [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fuser.broadcast %0 dims [0] : tensor<?x?xbf16> -> tensor<1x?x?xbf16>
  %2 = fuser.cast %1 : tensor<1x?x?xbf16> to tensor<1x?x?xf32>
  %3 = fuser.add %x, %2 : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  fuser.return %3 : tensor<?x?x?xf32>
}
