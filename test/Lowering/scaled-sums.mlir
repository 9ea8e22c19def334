// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// A product by a power of two is not rounded: with a sum, it is one multiply-add of the same result.

// 2 x y + z, whose scale is a factor of a factor; z - x / 2.
// CHECK-LABEL: gpu.func @scaled
// CHECK-DAG: %[[TWO:.+]] = arith.constant dense<2.000000e+00> : vector
// CHECK-DAG: %[[MINUS_HALF:.+]] = arith.constant dense<-5.000000e-01> : vector
// CHECK: %[[Y:.+]] = math.erf %[[X:.+]] :
// CHECK: %[[Z:.+]] = math.erf %[[Y]] :
// CHECK: %[[XY:.+]] = arith.mulf %[[X]], %[[Y]]
// CHECK: %[[SUM:.+]] = math.fma %[[XY]], %[[TWO]], %[[Z]]
// CHECK: math.fma %[[Y]], %[[MINUS_HALF]], %[[SUM]]
// CHECK-NOT: arith.mulf
// CHECK-NOT: arith.subf
// CHECK: gpu.return
fuser.kernel @scaled(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %two = arith.constant 2.0 : f64
  %y = fuser.erf %x : tensor<4096x4096xf32>
  %z = fuser.erf %y : tensor<4096x4096xf32>
  %0 = fuser.mul %x, %two : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %1 = fuser.mul %0, %y : tensor<4096x4096xf32>
  %2 = fuser.add %1, %z : tensor<4096x4096xf32>
  %3 = fuser.div %y, %two : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %4 = fuser.sub %2, %3 : tensor<4096x4096xf32>
  fuser.return %4 : tensor<4096x4096xf32>
}

// -----

// Other products are rounded, one with another use is computed in any case, and a scale of 1024 of
// two factors would let their product be subnormal where the scaled one is not.
// CHECK-LABEL: gpu.func @rounded
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @rounded(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %large = arith.constant 1024.0 : f64
  %y = fuser.erf %x : tensor<4096x4096xf32>
  %z = fuser.erf %y : tensor<4096x4096xf32>
  %0 = fuser.mul %x, %three : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %1 = fuser.add %0, %z : tensor<4096x4096xf32>
  %2 = fuser.mul %x, %two : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %3 = fuser.add %1, %2 : tensor<4096x4096xf32>
  %4 = fuser.mul %3, %2 : tensor<4096x4096xf32>
  %5 = fuser.mul %y, %large : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %6 = fuser.mul %5, %z : tensor<4096x4096xf32>
  %7 = fuser.add %4, %6 : tensor<4096x4096xf32>
  fuser.return %7 : tensor<4096x4096xf32>
}

// -----

// A kernel that waits for memory stays as it is.
// CHECK-LABEL: gpu.func @waits_for_memory
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @waits_for_memory(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %two = arith.constant 2.0 : f64
  %0 = fuser.mul %x, %two : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %1 = fuser.add %0, %y : tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// -----

// So does one whose threads wait for each other.
// CHECK-LABEL: gpu.func @waits_for_threads
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @waits_for_threads(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %two = arith.constant 2.0 : f64
  %y = fuser.erf %x : tensor<4096x4096xf32>
  %z = fuser.erf %y : tensor<4096x4096xf32>
  %0 = fuser.mul %y, %two : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %1 = fuser.add %0, %z : tensor<4096x4096xf32>
  %2 = fuser.sum %1 dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  fuser.return %2 : tensor<4096xf32>
}
