// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// Comparisons that ranges decide are gone: an index that is computed from a place, and limited to what it reads, needs no check.

// Through floats: 0 <= max(i * 0.64 - 0.1, 0) < 64.
// CHECK-LABEL: gpu.func @interpolated
// CHECK-NOT: scf.if {{.*}} -> (f32)
// CHECK: gpu.return
fuser.kernel @interpolated(%x: tensor<64x64xf32>) -> tensor<64x100xf32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 6.400000e-01 : f64
  %3 = arith.constant 1.000000e-01 : f64
  %4 = arith.constant 0.000000e+00 : f64
  %5 = fuser.iota %0, %1 : i64, i64 -> tensor<100xi64>
  %6 = fuser.cast %5 : tensor<100xi64> to tensor<100xf32>
  %7 = fuser.mul %6, %2 : (tensor<100xf32>, f64) -> tensor<100xf32>
  %8 = fuser.sub %7, %3 : (tensor<100xf32>, f64) -> tensor<100xf32>
  %9 = fuser.maximum %8, %4 : (tensor<100xf32>, f64) -> tensor<100xf32>
  %10 = fuser.cast %9 : tensor<100xf32> to tensor<100xi64>
  %11 = fuser.index_select %x, %10 dim 1 : tensor<64x64xf32>, tensor<100xi64> -> tensor<64x100xf32>
  fuser.return %11 : tensor<64x100xf32>
}

// -----

// The last place is 64, which the operand does not have.
// CHECK-LABEL: gpu.func @one_too_far
// CHECK: scf.if {{.*}} -> (f32)
// CHECK: gpu.return
fuser.kernel @one_too_far(%x: tensor<64x64xf32>) -> tensor<64x100xf32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 6.470000e-01 : f64
  %3 = fuser.iota %0, %1 : i64, i64 -> tensor<100xi64>
  %4 = fuser.cast %3 : tensor<100xi64> to tensor<100xf32>
  %5 = fuser.mul %4, %2 : (tensor<100xf32>, f64) -> tensor<100xf32>
  %6 = fuser.cast %5 : tensor<100xf32> to tensor<100xi64>
  %7 = fuser.index_select %x, %6 dim 1 : tensor<64x64xf32>, tensor<100xi64> -> tensor<64x100xf32>
  fuser.return %7 : tensor<64x100xf32>
}

// -----

// Each side of a selection counts only where it is chosen: |i - 3|, and 225 - i from 115 on.
// CHECK-LABEL: gpu.func @reflected
// CHECK-NOT: scf.if {{.*}} -> (
// CHECK: gpu.return
fuser.kernel @reflected(%x: tensor<64x112xf32>) -> tensor<64x118xf32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 3 : i64
  %3 = arith.constant -1 : i64
  %4 = arith.constant -3 : i64
  %5 = arith.constant 115 : i64
  %6 = arith.constant 225 : i64
  %7 = fuser.iota %0, %1 : i64, i64 -> tensor<118xi32>
  %8 = fuser.lt %7, %2 : (tensor<118xi32>, i64) -> tensor<118xi1>
  %9 = fuser.iota %2, %3 : i64, i64 -> tensor<118xi32>
  %10 = fuser.iota %4, %1 : i64, i64 -> tensor<118xi32>
  %11 = fuser.where %8, %9, %10 : (tensor<118xi1>, tensor<118xi32>, tensor<118xi32>) -> tensor<118xi32>
  %12 = fuser.lt %7, %5 : (tensor<118xi32>, i64) -> tensor<118xi1>
  %13 = fuser.iota %6, %3 : i64, i64 -> tensor<118xi32>
  %14 = fuser.where %12, %11, %13 : (tensor<118xi1>, tensor<118xi32>, tensor<118xi32>) -> tensor<118xi32>
  %15 = fuser.index_select %x, %14 dim 1 : tensor<64x112xf32>, tensor<118xi32> -> tensor<64x118xf32>
  fuser.return %15 : tensor<64x118xf32>
}

// -----

// An index from memory is checked, also where it is limited on one side only.
// CHECK-LABEL: gpu.func @from_memory
// CHECK: scf.if {{.*}} -> (f32)
// CHECK: gpu.return
fuser.kernel @from_memory(%x: tensor<64x64xf32>, %i: tensor<100xi64>) -> tensor<64x100xf32> {
  %0 = arith.constant 63 : i64
  %1 = fuser.minimum %i, %0 : (tensor<100xi64>, i64) -> tensor<100xi64>
  %2 = fuser.index_select %x, %1 dim 1 : tensor<64x64xf32>, tensor<100xi64> -> tensor<64x100xf32>
  fuser.return %2 : tensor<64x100xf32>
}

// -----

// Limited on both sides, it is not.
// CHECK-LABEL: gpu.func @limited
// CHECK-NOT: scf.if {{.*}} -> (f32)
// CHECK: gpu.return
fuser.kernel @limited(%x: tensor<64x64xf32>, %i: tensor<100xi64>) -> tensor<64x100xf32> {
  %0 = arith.constant 63 : i64
  %1 = arith.constant 0 : i64
  %2 = fuser.minimum %i, %0 : (tensor<100xi64>, i64) -> tensor<100xi64>
  %3 = fuser.maximum %2, %1 : (tensor<100xi64>, i64) -> tensor<100xi64>
  %4 = fuser.index_select %x, %3 dim 1 : tensor<64x64xf32>, tensor<100xi64> -> tensor<64x100xf32>
  fuser.return %4 : tensor<64x100xf32>
}

// -----

// A place is converted to a float as an integer of 32 bits, since it has no more.
// CHECK-LABEL: gpu.func @converted_places
// CHECK-NOT: arith.sitofp {{.*}}i64
// CHECK: arith.sitofp {{.*}}i32
// CHECK: gpu.return
fuser.kernel @converted_places(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = arith.constant 99 : i64
  %1 = arith.constant -1 : i64
  %2 = fuser.iota %0, %1 : i64, i64 -> tensor<100xi64>
  %3 = fuser.cast %2 : tensor<100xi64> to tensor<100xf32>
  %4 = fuser.broadcast %3 dims [0] : tensor<100xf32> -> tensor<1x100xf32>
  %5 = fuser.add %x, %4 : (tensor<64x100xf32>, tensor<1x100xf32>) -> tensor<64x100xf32>
  fuser.return %5 : tensor<64x100xf32>
}

// -----

// Not what may have more.
// CHECK-LABEL: gpu.func @converted_numbers
// CHECK: arith.sitofp {{.*}}i64
// CHECK: gpu.return
fuser.kernel @converted_numbers(%x: tensor<64x100xi64>) -> tensor<64x100xf32> {
  %0 = arith.constant 7 : i64
  %1 = fuser.add %x, %0 : (tensor<64x100xi64>, i64) -> tensor<64x100xi64>
  %2 = fuser.cast %1 : tensor<64x100xi64> to tensor<64x100xf32>
  fuser.return %2 : tensor<64x100xf32>
}
