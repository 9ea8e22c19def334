// The place of the least of few elements: without a loop, places are constants, and which one is earlier is known.
// RUN: fuser-opt %s --fuser-to-kernel-ir='target=h200' | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --program=nan --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=infinite --check | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: check {{.*}} ok

// Half of all logarithms are NaN, of which the first one is the least.
// CHECK-LABEL: gpu.func @nan
// CHECK-NOT: scf.for
// CHECK: gpu.return
fuser.fusion @nan(%x: tensor<40000x64xf32>, %codes: tensor<16xf32>) -> tensor<40000x64xi64> {
  %0 = fuser.log %x : (tensor<40000x64xf32>) -> tensor<40000x64xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<40000x64xf32> -> tensor<40000x64x1xf32>
  %2 = fuser.broadcast %codes dims [0, 1] : tensor<16xf32> -> tensor<1x1x16xf32>
  %3 = fuser.sub %1, %2 : (tensor<40000x64x1xf32>, tensor<1x1x16xf32>) -> tensor<40000x64x16xf32>
  %4 = fuser.abs %3 : tensor<40000x64x16xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %5 = fuser.iota %c0, %c1 : i64, i64 -> tensor<16xi64>
  %6 = fuser.broadcast %5 dims [0, 1] : tensor<16xi64> -> tensor<1x1x16xi64>
  %7 = fuser.expand %6 : tensor<1x1x16xi64> -> tensor<40000x64x16xi64>
  %8, %9 = fuser.min_with_index %4, %7 dims [2] : tensor<40000x64x16xf32>, tensor<40000x64x16xi64> -> tensor<40000x64xf32>, tensor<40000x64xi64>
  fuser.return %9 : tensor<40000x64xi64>
}

// The first one of equal distances, infinite as well.
// CHECK-LABEL: gpu.func @infinite
// CHECK-NOT: scf.for
// CHECK: gpu.return
fuser.fusion @infinite(%x: tensor<40000x64xf32>, %codes: tensor<16xf32>) -> tensor<40000x64xi64> {
  %one = arith.constant 1.0 : f32
  %p = fuser.relu %x : tensor<40000x64xf32>
  %0 = fuser.div %one, %p : (f32, tensor<40000x64xf32>) -> tensor<40000x64xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<40000x64xf32> -> tensor<40000x64x1xf32>
  %2 = fuser.broadcast %codes dims [0, 1] : tensor<16xf32> -> tensor<1x1x16xf32>
  %3 = fuser.sub %1, %2 : (tensor<40000x64x1xf32>, tensor<1x1x16xf32>) -> tensor<40000x64x16xf32>
  %4 = fuser.abs %3 : tensor<40000x64x16xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %5 = fuser.iota %c0, %c1 : i64, i64 -> tensor<16xi64>
  %6 = fuser.broadcast %5 dims [0, 1] : tensor<16xi64> -> tensor<1x1x16xi64>
  %7 = fuser.expand %6 : tensor<1x1x16xi64> -> tensor<40000x64x16xi64>
  %8, %9 = fuser.max_with_index %4, %7 dims [2] : tensor<40000x64x16xf32>, tensor<40000x64x16xi64> -> tensor<40000x64xf32>, tensor<40000x64xi64>
  fuser.return %9 : tensor<40000x64xi64>
}

// More elements have a loop.
// CHECK-LABEL: gpu.func @many
// CHECK: scf.for
// CHECK: gpu.return
fuser.fusion @many(%x: tensor<40000x64xf32>, %codes: tensor<32xf32>) -> tensor<40000x64xi64> {
  %1 = fuser.broadcast %x dims [2] : tensor<40000x64xf32> -> tensor<40000x64x1xf32>
  %2 = fuser.broadcast %codes dims [0, 1] : tensor<32xf32> -> tensor<1x1x32xf32>
  %3 = fuser.sub %1, %2 : (tensor<40000x64x1xf32>, tensor<1x1x32xf32>) -> tensor<40000x64x32xf32>
  %4 = fuser.abs %3 : tensor<40000x64x32xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %5 = fuser.iota %c0, %c1 : i64, i64 -> tensor<32xi64>
  %6 = fuser.broadcast %5 dims [0, 1] : tensor<32xi64> -> tensor<1x1x32xi64>
  %7 = fuser.expand %6 : tensor<1x1x32xi64> -> tensor<40000x64x32xi64>
  %8, %9 = fuser.min_with_index %4, %7 dims [2] : tensor<40000x64x32xf32>, tensor<40000x64x32xi64> -> tensor<40000x64xf32>, tensor<40000x64xi64>
  fuser.return %9 : tensor<40000x64xi64>
}
