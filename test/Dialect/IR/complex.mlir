// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// Complex numbers, their parts, and what makes them.

// CHECK-LABEL: @parts
fuser.fusion @parts(%z: tensor<?xcomplex<f32>>, %x: tensor<?xf64>) -> (tensor<?xf32>, tensor<?xcomplex<f64>>) {
  // CHECK: fuser.abs %{{.*}} : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  %0 = fuser.abs %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  // CHECK: fuser.real %{{.*}} : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  %1 = fuser.real %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  // CHECK: fuser.imag
  %2 = fuser.imag %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  // CHECK: fuser.angle
  %3 = fuser.angle %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  %4 = fuser.add %0, %1 : tensor<?xf32>
  %5 = fuser.add %2, %3 : tensor<?xf32>
  %6 = fuser.add %4, %5 : tensor<?xf32>
  %one = arith.constant 1.0 : f64
  // CHECK: fuser.complex %{{.*}}, %{{.*}} : (tensor<?xf64>, f64) -> tensor<?xcomplex<f64>>
  %7 = fuser.complex %x, %one : (tensor<?xf64>, f64) -> tensor<?xcomplex<f64>>
  // CHECK: fuser.polar
  %8 = fuser.polar %x, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xcomplex<f64>>
  // CHECK: fuser.conj %{{.*}} : tensor<?xcomplex<f64>>
  %9 = fuser.conj %8 : tensor<?xcomplex<f64>>
  %10 = fuser.mul %7, %9 : tensor<?xcomplex<f64>>
  fuser.return %6, %10 : tensor<?xf32>, tensor<?xcomplex<f64>>
}

// Scalars beside complex numbers are real or complex, of either width.
// CHECK-LABEL: @scalars
fuser.fusion @scalars(%z: tensor<?xcomplex<f32>>, %s: complex<f64>, %n: i64) -> tensor<?xcomplex<f32>> {
  // CHECK: complex.constant [1.000000e+00 : f32, -2.000000e+00 : f32] : complex<f32>
  %c = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  // CHECK: fuser.mul %{{.*}}, %{{.*}} : (tensor<?xcomplex<f32>>, complex<f64>) -> tensor<?xcomplex<f32>>
  %0 = fuser.mul %z, %s : (tensor<?xcomplex<f32>>, complex<f64>) -> tensor<?xcomplex<f32>>
  %1 = fuser.add %0, %c : (tensor<?xcomplex<f32>>, complex<f32>) -> tensor<?xcomplex<f32>>
  %2 = fuser.div %1, %n : (tensor<?xcomplex<f32>>, i64) -> tensor<?xcomplex<f32>>
  fuser.return %2 : tensor<?xcomplex<f32>>
}

// A real 1 has an imaginary part of 0, which makes NaN of an infinity: no fold. A cast to the same type is one.
// FOLD-LABEL: @folds
// FOLD-NEXT: %[[ONE:.*]] = arith.constant
// FOLD-NEXT: %[[ZERO:.*]] = arith.constant
// FOLD-NEXT: %[[M:.*]] = fuser.mul %{{.*}}, %[[ONE]]
// FOLD-NEXT: %[[A:.*]] = fuser.add %[[M]], %[[ZERO]]
// FOLD-NEXT: fuser.return %[[A]]
fuser.fusion @folds(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant -0.0 : f32
  %0 = fuser.mul %z, %one : (tensor<?xcomplex<f32>>, f32) -> tensor<?xcomplex<f32>>
  %1 = fuser.add %0, %zero : (tensor<?xcomplex<f32>>, f32) -> tensor<?xcomplex<f32>>
  %2 = fuser.cast %1 : tensor<?xcomplex<f32>> to tensor<?xcomplex<f32>>
  fuser.return %2 : tensor<?xcomplex<f32>>
}

// CHECK-LABEL: @moments
fuser.fusion @moments(%z: tensor<?x?xcomplex<f32>>) -> (tensor<?xf32>, tensor<?xcomplex<f32>>) {
  // CHECK: fuser.var_mean %{{.*}} dims [1] correction 1 : tensor<?x?xcomplex<f32>> -> tensor<?xf32>, tensor<?xcomplex<f32>>
  %0, %1 = fuser.var_mean %z dims [1] correction 1 : tensor<?x?xcomplex<f32>> -> tensor<?xf32>, tensor<?xcomplex<f32>>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xcomplex<f32>>
}

// CHECK-LABEL: @reductions
fuser.fusion @reductions(%z: tensor<?x?xcomplex<f32>>, %x: tensor<?x?xf32>) -> (tensor<?xcomplex<f32>>, tensor<?xi1>) {
  // CHECK: fuser.sum %{{.*}} dims [1] : tensor<?x?xcomplex<f32>> -> tensor<?xcomplex<f32>>
  %0 = fuser.sum %z dims [1] : tensor<?x?xcomplex<f32>> -> tensor<?xcomplex<f32>>
  // CHECK: fuser.mean %{{.*}} dims [1] : tensor<?x?xf32> -> tensor<?xcomplex<f32>>
  %1 = fuser.mean %x dims [1] : tensor<?x?xf32> -> tensor<?xcomplex<f32>>
  %2 = fuser.mul %0, %1 : tensor<?xcomplex<f32>>
  %3 = fuser.any %z dims [1] : tensor<?x?xcomplex<f32>> -> tensor<?xi1>
  fuser.return %2, %3 : tensor<?xcomplex<f32>>, tensor<?xi1>
}
