// RUN: fuser-opt %s --fuser-expand-powers > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-expand-powers | diff %t.after.mlir -
// RUN: fuser-run %s --program=powers --device=host --sizes=7x33 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=of_halves --device=host --sizes=7x33 --check | FileCheck %s --check-prefix=NUMBERS
// Powers with small constant exponents are products, by repeated squaring.
// NUMBERS: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @powers
// CHECK-SAME: (%[[X:.*]]: tensor<?x33xf32>)
// CHECK: %[[S:.*]] = fuser.mul %[[X]], %[[X]] : tensor<?x33xf32>
// CHECK: %[[C:.*]] = fuser.mul %[[S]], %[[S]] : tensor<?x33xf32>
// CHECK: %[[S5:.*]] = fuser.mul %[[X]], %[[X]] : tensor<?x33xf32>
// CHECK: %[[Q5:.*]] = fuser.mul %[[S5]], %[[S5]] : tensor<?x33xf32>
// CHECK: %[[F:.*]] = fuser.mul %[[X]], %[[Q5]] : tensor<?x33xf32>
// CHECK: %[[W:.*]] = fuser.mul %[[X]], %[[X]] : tensor<?x33xf32>
// CHECK: fuser.return %[[C]], %[[F]], %[[W]]
fuser.fusion @powers(%x: tensor<?x33xf32>) -> (tensor<?x33xf32>, tensor<?x33xf32>, tensor<?x33xf32>) {
  %four = arith.constant 4.0 : f64
  %five = arith.constant 5 : i64
  %two = arith.constant 2.0 : f64
  %0 = fuser.pow %x, %four : (tensor<?x33xf32>, f64) -> tensor<?x33xf32>
  %1 = fuser.pow %x, %five : (tensor<?x33xf32>, i64) -> tensor<?x33xf32>
  %2 = fuser.pow %x, %two : (tensor<?x33xf32>, f64) -> tensor<?x33xf32>
  fuser.return %0, %1, %2 : tensor<?x33xf32>, tensor<?x33xf32>, tensor<?x33xf32>
}

// Narrow floats are rounded once.
// CHECK-LABEL: fuser.fusion @of_halves
// CHECK-SAME: (%[[X:.*]]: tensor<?x33xbf16>)
// CHECK: %[[F:.*]] = fuser.cast %[[X]] : tensor<?x33xbf16> to tensor<?x33xf32>
// CHECK: %[[S:.*]] = fuser.mul %[[F]], %[[F]] : tensor<?x33xf32>
// CHECK: %[[P:.*]] = fuser.mul %[[F]], %[[S]] : tensor<?x33xf32>
// CHECK: fuser.cast %[[P]] : tensor<?x33xf32> to tensor<?x33xbf16>
fuser.fusion @of_halves(%x: tensor<?x33xbf16>) -> tensor<?x33xbf16> {
  %three = arith.constant 3.0 : f64
  %0 = fuser.pow %x, %three : (tensor<?x33xbf16>, f64) -> tensor<?x33xbf16>
  fuser.return %0 : tensor<?x33xbf16>
}

// Fractions, large and negative exponents, exponents that differ by element, and powers of complex
// numbers and with a schedule stay.
// CHECK-LABEL: fuser.fusion @stay
// CHECK-COUNT-7: fuser.pow
// CHECK-NOT: fuser.mul
fuser.fusion @stay(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xcomplex<f32>>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xcomplex<f32>>, tensor<?xf32>) {
  %half = arith.constant 2.5 : f64
  %nine = arith.constant 9.0 : f64
  %minus = arith.constant -4.0 : f64
  %four = arith.constant 4.0 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %0 = fuser.pow %x, %half : (tensor<?xf32>, f64) -> tensor<?xf32>
  %1 = fuser.pow %x, %nine : (tensor<?xf32>, f64) -> tensor<?xf32>
  %2 = fuser.pow %x, %minus : (tensor<?xf32>, f64) -> tensor<?xf32>
  %3 = fuser.pow %x, %y : tensor<?xf32>
  %4 = fuser.pow %x, %nan : (tensor<?xf32>, f64) -> tensor<?xf32>
  %5 = fuser.pow %z, %four : (tensor<?xcomplex<f32>>, f64) -> tensor<?xcomplex<f32>>
  %6 = fuser.pow %x, %four {memory = #fuser.memory<register>} : (tensor<?xf32>, f64) -> tensor<?xf32>
  fuser.return %0, %1, %2, %3, %4, %5, %6
      : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xcomplex<f32>>, tensor<?xf32>
}
