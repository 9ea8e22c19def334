// RUN: fuser-run %s --device=host --target=h200 --check --program=average --sizes=3x41x21x2x28x2,41 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=average --sizes=1x97x41x2x18x2,97 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=average --sizes=3x41x21x2x27x2,41 | FileCheck %s --check-prefix=INNER
// RUN: fuser-run %s --device=host --target=h200 --check --program=average --sizes=3x0x16x2x28x2,0 | FileCheck %s --check-prefix=EMPTY
// RUN: fuser-run %s --device=host --target=h200 --check --program=maximum --sizes=1x41x59x3x28x3 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=four --sizes=3x31x17x4x22x4 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=pairs --sizes=3x31x17x22x2,3x31x17x22x2 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=greatest | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=weights --sizes=3x31x17x2x22x2,2,22x2,22 | FileCheck %s
// Windows of several sizes and types, a last block that is not full, an epilogue with a value of each channel, two arguments, an
// odd number of results (as before), none.
// CHECK: block 128 (
// CHECK: check {{.*}} ok
// INNER: block 1x256
// INNER: check {{.*}} ok
// EMPTY: check {{.*}} ok

fuser.fusion @average(%x: tensor<?x?x?x2x?x2xbf16>, %b: tensor<?xf32>) -> tensor<?x?x?x?xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.cast %x : tensor<?x?x?x2x?x2xbf16> to tensor<?x?x?x2x?x2xf32>
  %1 = fuser.sum %0 dims [3, 5] : tensor<?x?x?x2x?x2xf32> -> tensor<?x?x?x?xf32>
  %c = arith.constant 4.0 : f64
  %2 = fuser.div %1, %c : (tensor<?x?x?x?xf32>, f64) -> tensor<?x?x?x?xf32>
  %3 = fuser.broadcast %b dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
  %4 = fuser.add %2, %3 : (tensor<?x?x?x?xf32>, tensor<1x?x1x1xf32>) -> tensor<?x?x?x?xf32>
  %5 = fuser.relu %4 : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %6 = fuser.cast %5 : tensor<?x?x?x?xf32> to tensor<?x?x?x?xbf16>
  fuser.return %6 : tensor<?x?x?x?xbf16>
}

fuser.fusion @maximum(%x: tensor<?x?x?x3x?x3xf32>) -> tensor<?x?x?x?xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.max %x dims [3, 5] : tensor<?x?x?x3x?x3xf32> -> tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

fuser.fusion @four(%x: tensor<?x?x?x4x?x4xbf16>) -> tensor<?x?x?x?xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.max %x dims [3, 5] : tensor<?x?x?x4x?x4xbf16> -> tensor<?x?x?x?xbf16>
  fuser.return %0 : tensor<?x?x?x?xbf16>
}

fuser.fusion @pairs(%x: tensor<?x?x?x?x2xf32>, %y: tensor<?x?x?x?x2xf32>) -> tensor<?x?x?x?xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.mul %x, %y : tensor<?x?x?x?x2xf32>
  %1 = fuser.sum %0 dims [4] : tensor<?x?x?x?x2xf32> -> tensor<?x?x?x?xf32>
  fuser.return %1 : tensor<?x?x?x?xf32>
}

// Operands of the columns of a window, of all columns and of those of results.
fuser.fusion @weights(%x: tensor<?x?x?x2x?x2xf32>, %p: tensor<2xf32>, %q: tensor<?x2xf32>, %r: tensor<?xf32>) -> tensor<?x?x?x?xf32>
    attributes {output_orders = [array<i64: 0, 1, 2, 3>]} {
  %p1 = fuser.broadcast %p dims [0, 1, 2, 3, 4] : tensor<2xf32> -> tensor<1x1x1x1x1x2xf32>
  %0 = fuser.mul %x, %p1 : (tensor<?x?x?x2x?x2xf32>, tensor<1x1x1x1x1x2xf32>) -> tensor<?x?x?x2x?x2xf32>
  %q1 = fuser.broadcast %q dims [0, 1, 2, 3] : tensor<?x2xf32> -> tensor<1x1x1x1x?x2xf32>
  %1 = fuser.add %0, %q1 : (tensor<?x?x?x2x?x2xf32>, tensor<1x1x1x1x?x2xf32>) -> tensor<?x?x?x2x?x2xf32>
  %r1 = fuser.broadcast %r dims [0, 1, 2, 3, 5] : tensor<?xf32> -> tensor<1x1x1x1x?x1xf32>
  %2 = fuser.add %1, %r1 : (tensor<?x?x?x2x?x2xf32>, tensor<1x1x1x1x?x1xf32>) -> tensor<?x?x?x2x?x2xf32>
  %3 = fuser.sum %2 dims [3, 5] : tensor<?x?x?x2x?x2xf32> -> tensor<?x?x?x?xf32>
  fuser.return %3 : tensor<?x?x?x?xf32>
}

// A maximum and where it is.
fuser.fusion @greatest(%x: tensor<3x31x17x22x2xf32>) -> (tensor<3x31x17x22xf32>, tensor<3x31x17x22xi64>)
    attributes {output_orders = [array<i64: 0, 1, 2, 3>, array<i64: 0, 1, 2, 3>]} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = fuser.iota %zero, %one length() : i64, i64 -> tensor<2xi64>
  %pair = fuser.broadcast %i dims [0, 1, 2, 3] : tensor<2xi64> -> tensor<1x1x1x1x2xi64>
  %all = fuser.expand %pair sizes() : tensor<1x1x1x1x2xi64> -> tensor<3x31x17x22x2xi64>
  %max, %where = fuser.max_with_index %x, %all dims [4] : tensor<3x31x17x22x2xf32>, tensor<3x31x17x22x2xi64> -> tensor<3x31x17x22xf32>, tensor<3x31x17x22xi64>
  fuser.return %max, %where : tensor<3x31x17x22xf32>, tensor<3x31x17x22xi64>
}
