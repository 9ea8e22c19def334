// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_2 --sizes=2x3x2x2x16x128,3 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_2 --sizes=3x5x2x2x7x60,5 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_2 --sizes=3x5x2x2x7x66,5 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_2 --sizes=3x5x2x2x7x33,5 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_2 --sizes=1x1x2x2x1x16,1 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_2 --sizes=2x0x2x2x7x32,0 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_3 --sizes=2x3x3x3x7x64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_3 --sizes=2x3x3x3x7x33 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=unshuffle_2 --sizes=2x3x16x2x64x2 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=unshuffle_2 --sizes=2x3x5x2x33x2 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=unshuffle_2 --sizes=1x1x1x2x16x2 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=shuffle_4 --sizes=2x3x4x4x7x32,2x3x7x4x32x4 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=channels_last --sizes=2x8x9x32x2x2,32 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=channels_last --sizes=2x5x7x33x2x2,33 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=colors --sizes=3x16x40x3,3 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=colors --sizes=3x5x7x3,3 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=two_orders --sizes=3x5x2x64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=two_orders --sizes=3x5x6x33 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=operands --sizes=2x3x2x2x7x64,2,64x2,64,7x64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=operands --sizes=2x3x2x2x7x33,2,33x2,33,7x33 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=operands --sizes=2x3x2x2x7x66,2,66x2,66,7x66 | FileCheck %s
// Vectors that fit and that do not, both directions, one and several vectors of a thread, operands of one channel, a value in
// two orders, sizes of zero and one. No block has shared memory.
// CHECK: block 256
// CHECK-NOT: shared memory
// CHECK: check {{.*}} ok

fuser.fusion @shuffle_2(%x: tensor<?x?x2x2x?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?x?x2x?x2xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<?x?x2x2x?x?xbf16> -> tensor<?x?x?x2x?x2xbf16>
  %1 = fuser.broadcast %b dims [0, 2, 3, 4, 5] : tensor<?xbf16> -> tensor<1x?x1x1x1x1xbf16>
  %2 = fuser.add %0, %1 : (tensor<?x?x?x2x?x2xbf16>, tensor<1x?x1x1x1x1xbf16>) -> tensor<?x?x?x2x?x2xbf16>
  %3 = fuser.relu %2 : (tensor<?x?x?x2x?x2xbf16>) -> tensor<?x?x?x2x?x2xbf16>
  fuser.return %3 : tensor<?x?x?x2x?x2xbf16>
}

fuser.fusion @shuffle_3(%x: tensor<?x?x3x3x?x?xf32>) -> tensor<?x?x?x3x?x3xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<?x?x3x3x?x?xf32> -> tensor<?x?x?x3x?x3xf32>
  fuser.return %0 : tensor<?x?x?x3x?x3xf32>
}

// Operands along some of the dimensions.
fuser.fusion @operands(%x: tensor<?x?x2x2x?x?xf32>, %p: tensor<2xf32>, %q: tensor<?x2xf32>, %r: tensor<?xf32>, %s: tensor<?x?xf32>) -> tensor<?x?x?x2x?x2xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %s1 = fuser.broadcast %s dims [0, 1, 2, 3] : tensor<?x?xf32> -> tensor<1x1x1x1x?x?xf32>
  %x1 = fuser.mul %x, %s1 : (tensor<?x?x2x2x?x?xf32>, tensor<1x1x1x1x?x?xf32>) -> tensor<?x?x2x2x?x?xf32>
  %0 = fuser.permute %x1 [0, 1, 4, 2, 5, 3] : tensor<?x?x2x2x?x?xf32> -> tensor<?x?x?x2x?x2xf32>
  %p1 = fuser.broadcast %p dims [0, 1, 2, 3, 4] : tensor<2xf32> -> tensor<1x1x1x1x1x2xf32>
  %1 = fuser.add %0, %p1 : (tensor<?x?x?x2x?x2xf32>, tensor<1x1x1x1x1x2xf32>) -> tensor<?x?x?x2x?x2xf32>
  %q1 = fuser.broadcast %q dims [0, 1, 2, 3] : tensor<?x2xf32> -> tensor<1x1x1x1x?x2xf32>
  %2 = fuser.add %1, %q1 : (tensor<?x?x?x2x?x2xf32>, tensor<1x1x1x1x?x2xf32>) -> tensor<?x?x?x2x?x2xf32>
  %r1 = fuser.broadcast %r dims [0, 1, 2, 3, 5] : tensor<?xf32> -> tensor<1x1x1x1x?x1xf32>
  %3 = fuser.add %2, %r1 : (tensor<?x?x?x2x?x2xf32>, tensor<1x1x1x1x?x1xf32>) -> tensor<?x?x?x2x?x2xf32>
  fuser.return %3 : tensor<?x?x?x2x?x2xf32>
}

// The other argument has the order of the result.
fuser.fusion @shuffle_4(%x: tensor<?x?x4x4x?x?xbf16>, %y: tensor<?x?x?x4x?x4xf32>) -> tensor<?x?x?x4x?x4xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<?x?x4x4x?x?xbf16> -> tensor<?x?x?x4x?x4xbf16>
  %1 = fuser.cast %0 : tensor<?x?x?x4x?x4xbf16> to tensor<?x?x?x4x?x4xf32>
  %2 = fuser.mul %1, %y : tensor<?x?x?x4x?x4xf32>
  fuser.return %2 : tensor<?x?x?x4x?x4xf32>
}

fuser.fusion @unshuffle_2(%x: tensor<?x?x?x2x?x2xi8>) -> tensor<?x?x2x2x?x?xi8>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %0 = fuser.permute %x [0, 1, 3, 5, 2, 4] : tensor<?x?x?x2x?x2xi8> -> tensor<?x?x2x2x?x?xi8>
  fuser.return %0 : tensor<?x?x2x2x?x?xi8>
}

fuser.fusion @channels_last(%x: tensor<?x?x?x?x2x2xbf16>, %b: tensor<?xbf16>) -> tensor<?x?x2x?x2x?xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3, 4, 5>]} {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<?x?x?x?x2x2xbf16> -> tensor<?x?x2x?x2x?xbf16>
  %1 = fuser.broadcast %b dims [0, 1, 2, 3, 4] : tensor<?xbf16> -> tensor<1x1x1x1x1x?xbf16>
  %2 = fuser.add %0, %1 : (tensor<?x?x2x?x2x?xbf16>, tensor<1x1x1x1x1x?xbf16>) -> tensor<?x?x2x?x2x?xbf16>
  fuser.return %2 : tensor<?x?x2x?x2x?xbf16>
}

fuser.fusion @colors(%x: tensor<?x?x?x3xi8>, %b: tensor<3xf32>) -> tensor<?x3x?x?xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.cast %x : tensor<?x?x?x3xi8> to tensor<?x?x?x3xf32>
  %1 = fuser.broadcast %b dims [0, 1, 2] : tensor<3xf32> -> tensor<1x1x1x3xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x?x?x3xf32>, tensor<1x1x1x3xf32>) -> tensor<?x?x?x3xf32>
  %3 = fuser.permute %2 [0, 3, 1, 2] : tensor<?x?x?x3xf32> -> tensor<?x3x?x?xf32>
  %4 = fuser.cast %3 : tensor<?x3x?x?xf32> to tensor<?x3x?x?xbf16>
  fuser.return %4 : tensor<?x3x?x?xbf16>
}

// One value is stored in both orders.
fuser.fusion @two_orders(%x: tensor<?x?x?x?xbf16>) -> (tensor<?x?x?x?xbf16>, tensor<?x?x?x?xbf16>)
    attributes {output_orders = [array<i64: 0, 1, 2, 3>, array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.relu %x : (tensor<?x?x?x?xbf16>) -> tensor<?x?x?x?xbf16>
  %1 = fuser.permute %0 [0, 1, 3, 2] : tensor<?x?x?x?xbf16> -> tensor<?x?x?x?xbf16>
  fuser.return %0, %1 : tensor<?x?x?x?xbf16>, tensor<?x?x?x?xbf16>
}
