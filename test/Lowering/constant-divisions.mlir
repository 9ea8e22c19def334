// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels{approximate-math},canonicalize,cse)" | FileCheck %s --check-prefix=APPROX
// A division by a constant takes two instructions where all its quotients round correctly with them, f32 results included.

// CHECK-LABEL: gpu.func @two_instructions
// CHECK-DAG: %[[HIGH:.+]] = arith.constant dense<0.0333333313> : vector
// CHECK-DAG: %[[LOW:.+]] = arith.constant dense<1.{{.*}}E-9> : vector
// CHECK-NOT: arith.divf
// CHECK: %[[REST:.+]] = arith.mulf %[[X:.+]], %[[LOW]]
// CHECK: math.fma %[[X]], %[[HIGH]], %[[REST]]
// CHECK: gpu.return

// Approximate math has its own division.
// APPROX-LABEL: gpu.func @two_instructions
// APPROX-NOT: math.fma
// APPROX: fuser_gpu.approx rcp
// APPROX: gpu.return
fuser.kernel @two_instructions(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = arith.constant 30.0 : f64
  %0 = fuser.div %x, %c : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// -----

// The result of a division by a power of two is a product.
// CHECK-LABEL: gpu.func @power_of_two
// CHECK-DAG: %[[QUARTER:.+]] = arith.constant dense<-2.500000e-01> : vector
// CHECK-NOT: math.fma
// CHECK: arith.mulf %{{.*}}, %[[QUARTER]]
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @power_of_two(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = arith.constant -4.0 : f32
  %0 = fuser.div %x, %c : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// -----

// Some quotients by this constant would round to the wrong side: it is divided by as by any number.
// CHECK-LABEL: gpu.func @wrong_quotients
// CHECK-NOT: math.fma
// CHECK: arith.divf
// CHECK: gpu.return
fuser.kernel @wrong_quotients(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = arith.constant 13196543.0 : f32
  %0 = fuser.div %x, %c : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// -----

// Quotients of bf16 numbers may be ties of the short result, so that they are exact.
// CHECK-LABEL: gpu.func @short
// CHECK-NOT: fuser_gpu.approx
// CHECK-NOT: arith.divf
// CHECK: math.fma
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @short(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %c = arith.constant 50.0 : f32
  %0 = fuser.div %x, %c : (tensor<4096x4096xbf16>, f32) -> tensor<4096x4096xbf16>
  fuser.return %0 : tensor<4096x4096xbf16>
}

// -----

// Other short results are products.
// CHECK-LABEL: gpu.func @short_sum
// CHECK-DAG: %[[FIFTIETH:.+]] = arith.constant dense<2.000000e-02> : vector
// CHECK-NOT: fuser_gpu.approx
// CHECK-NOT: arith.divf
// CHECK-NOT: math.fma
// CHECK: arith.mulf %{{.*}}, %[[FIFTIETH]]
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @short_sum(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xbf16> {
  %c = arith.constant 50.0 : f32
  %0 = fuser.add %x, %y : tensor<4096x4096xf32>
  %1 = fuser.div %0, %c : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %2 = fuser.cast %1 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %2 : tensor<4096x4096xbf16>
}

// -----

// Divisions of f64 stay.
// CHECK-LABEL: gpu.func @wide
// CHECK: arith.divf {{.*}}f64
// CHECK: gpu.return
fuser.kernel @wide(%x: tensor<4096x4096xf64>) -> tensor<4096x4096xf64> {
  %c = arith.constant 30.0 : f64
  %0 = fuser.div %x, %c : (tensor<4096x4096xf64>, f64) -> tensor<4096x4096xf64>
  fuser.return %0 : tensor<4096x4096xf64>
}
