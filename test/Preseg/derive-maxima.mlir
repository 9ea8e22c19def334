// RUN: fuser-opt %s --fuser-derive-maxima > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-derive-maxima | diff %t.after.mlir -
// RUN: fuser-run %s --program=probabilities --device=reference --sizes=37x100 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=probabilities --device=reference --sizes=37x100 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: fuser-run %s --program=probabilities --device=host --sizes=37x100 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=of_infinities --device=reference --sizes=5x16,5x1 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=of_infinities --device=reference --sizes=5x16,5x1 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=with_index --device=host --check | FileCheck %s --check-prefix=NUMBERS
// The greatest element of a softmax follows from the maximum and the sum of its row.
// NUMBERS: check {{.*}} ok

// Through a cast, a product and a quotient: one maximum is left.
// CHECK-LABEL: fuser.fusion @probabilities
// CHECK: %[[X:.+]] = fuser.div %{{.*}}, %{{.*}} : (tensor<?x100xf32>, f64)
// CHECK: %[[M:.+]] = fuser.max %[[X]] dims [1]
// CHECK: %[[MB:.+]] = fuser.broadcast %[[M]]
// CHECK: %[[S:.+]] = fuser.sum
// CHECK: %[[SB:.+]] = fuser.broadcast %[[S]]
// CHECK-NOT: fuser.max
// CHECK: %[[D:.+]] = fuser.sub %[[MB]], %[[MB]] : tensor<?x1xf32>
// CHECK: %[[E:.+]] = fuser.exp %[[D]] : tensor<?x1xf32>
// CHECK: %[[P:.+]] = fuser.div %[[E]], %[[SB]] : tensor<?x1xf32>
// CHECK: %[[H:.+]] = fuser.mul %[[P]], %{{.*}} : (tensor<?x1xf32>, f64) -> tensor<?x1xf32>
// CHECK: %[[C:.+]] = fuser.cast %[[H]] : tensor<?x1xf32> to tensor<?x1xbf16>
// CHECK: fuser.squeeze %[[C]] dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
fuser.fusion @probabilities(%x: tensor<?x100xf32>) -> (tensor<?x100xbf16>, tensor<?xbf16>) {
  %t = arith.constant 0.8 : f64
  %half = arith.constant 0.5 : f64
  %0 = fuser.div %x, %t : (tensor<?x100xf32>, f64) -> tensor<?x100xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
  %4 = fuser.exp %3 : tensor<?x100xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.div %4, %6 : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
  %8 = fuser.mul %7, %half : (tensor<?x100xf32>, f64) -> tensor<?x100xf32>
  %9 = fuser.cast %8 : tensor<?x100xf32> to tensor<?x100xbf16>
  %10 = fuser.max %9 dims [1] : tensor<?x100xbf16> -> tensor<?xbf16>
  fuser.return %9, %10 : tensor<?x100xbf16>, tensor<?xbf16>
}

// Rows of -inf, and rows with +inf: their maxima are NaN.
// CHECK-LABEL: fuser.fusion @of_infinities
// CHECK: fuser.max
// CHECK-NOT: fuser.max
// CHECK: fuser.return
fuser.fusion @of_infinities(%x: tensor<5x16xf32>, %y: tensor<5x1xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %sign = fuser.sign %y : tensor<5x1xf32>
  %added = fuser.mul %sign, %infinity : (tensor<5x1xf32>, f32) -> tensor<5x1xf32>
  %0 = fuser.add %x, %added : (tensor<5x16xf32>, tensor<5x1xf32>) -> tensor<5x16xf32>
  %1 = fuser.max %0 dims [1] : tensor<5x16xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<5x16xf32>, tensor<5x1xf32>) -> tensor<5x16xf32>
  %4 = fuser.exp %3 : tensor<5x16xf32>
  %5 = fuser.max %4 dims [1] : tensor<5x16xf32> -> tensor<5xf32>
  fuser.return %5 : tensor<5xf32>
}

// A negative factor turns the order around, another subtrahend or divisor may be infinite, other dimensions have other
// maxima, and rows without elements have -inf.
// CHECK-LABEL: fuser.fusion @stays
// CHECK-COUNT-7: fuser.max
// CHECK: fuser.return
fuser.fusion @stays(%x: tensor<8x16xf32>, %y: tensor<8x1xf32>, %z: tensor<8x?xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<8xf32>) {
  %minus = arith.constant -2.0 : f32
  %0 = fuser.max %x dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %3 = fuser.exp %2 : tensor<8x16xf32>
  %4 = fuser.mul %3, %minus : (tensor<8x16xf32>, f32) -> tensor<8x16xf32>
  %5 = fuser.max %4 dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %6 = fuser.sub %x, %y : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %7 = fuser.max %6 dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %8 = fuser.div %3, %y : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %9 = fuser.max %8 dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %10 = fuser.max %3 dims [0] : tensor<8x16xf32> -> tensor<16xf32>
  %11 = fuser.max %z dims [1] : tensor<8x?xf32> -> tensor<8xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %13 = fuser.sub %z, %12 : (tensor<8x?xf32>, tensor<8x1xf32>) -> tensor<8x?xf32>
  %14 = fuser.max %13 dims [1] : tensor<8x?xf32> -> tensor<8xf32>
  fuser.return %5, %7, %9, %10, %14 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<8xf32>
}

// A maximum with an index is the maximum too, of the elements before their conversion.
// CHECK-LABEL: fuser.fusion @with_index
// CHECK-SAME: (%[[X:.*]]: tensor<37x100xbf16>)
// CHECK: %[[V:.*]], %{{.*}} = fuser.max_with_index %[[X]], %{{.*}} dims [1]
// CHECK: %[[M:.*]] = fuser.cast %[[V]] : tensor<37xbf16> to tensor<37xf32>
// CHECK: fuser.broadcast %[[M]] dims [1]
// CHECK-NOT: fuser.max %
// CHECK: fuser.return
fuser.fusion @with_index(%x: tensor<37x100xbf16>) -> (tensor<37x100xf32>, tensor<37xi64>) {
  %0 = fuser.cast %x : tensor<37x100xbf16> to tensor<37x100xf32>
  %1 = fuser.max %0 dims [1] : tensor<37x100xf32> -> tensor<37xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<37xf32> -> tensor<37x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<37x100xf32>, tensor<37x1xf32>) -> tensor<37x100xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
  %j = fuser.broadcast %i dims [0] : tensor<100xi64> -> tensor<1x100xi64>
  %e = fuser.expand %j : tensor<1x100xi64> -> tensor<37x100xi64>
  %m, %k = fuser.max_with_index %x, %e dims [1] : tensor<37x100xbf16>, tensor<37x100xi64> -> tensor<37xbf16>, tensor<37xi64>
  fuser.return %3, %k : tensor<37x100xf32>, tensor<37xi64>
}

// Other dimensions, a narrower type, and an index that depends on the maximum stay.
// CHECK-LABEL: fuser.fusion @other_maxima
// CHECK-COUNT-3: fuser.max %
fuser.fusion @other_maxima(%x: tensor<40x40xf32>, %i: tensor<40x40xi64>)
    -> (tensor<40xf32>, tensor<40xbf16>, tensor<40xi64>, tensor<40xf32>, tensor<40xi64>) {
  %m, %k = fuser.max_with_index %x, %i dims [1] : tensor<40x40xf32>, tensor<40x40xi64> -> tensor<40xf32>, tensor<40xi64>
  %0 = fuser.max %x dims [0] : tensor<40x40xf32> -> tensor<40xf32>
  %1 = fuser.cast %x : tensor<40x40xf32> to tensor<40x40xbf16>
  %2 = fuser.max %1 dims [1] : tensor<40x40xbf16> -> tensor<40xbf16>
  %3 = fuser.exp %x : tensor<40x40xf32>
  %4 = fuser.max %3 dims [1] : tensor<40x40xf32> -> tensor<40xf32>
  %5 = fuser.cast %4 : tensor<40xf32> to tensor<40xi64>
  %6 = fuser.broadcast %5 dims [1] : tensor<40xi64> -> tensor<40x1xi64>
  %7 = fuser.add %i, %6 : (tensor<40x40xi64>, tensor<40x1xi64>) -> tensor<40x40xi64>
  %n, %l = fuser.max_with_index %3, %7 dims [1] : tensor<40x40xf32>, tensor<40x40xi64> -> tensor<40xf32>, tensor<40xi64>
  fuser.return %0, %2, %k, %4, %l : tensor<40xf32>, tensor<40xbf16>, tensor<40xi64>, tensor<40xf32>, tensor<40xi64>
}
