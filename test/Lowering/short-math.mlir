// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// f32 math is shortened where its results only reach memory as floats of at most 16 bits (ADR 11): per value, not per kernel.

// Exponentials, tanh and products that are added, in a kernel that takes many instructions. Where tanh is added to 1, its accuracy
// near 0 makes no difference.
// CHECK-LABEL: gpu.func @gelu
// CHECK-NOT: math.tanh
// CHECK-NOT: arith.select
// CHECK: fuser_gpu.approx exp2 %{{.*}} ftz
// CHECK: fuser_gpu.approx rcp
// CHECK: math.fma
// CHECK-NOT: arith.select
// CHECK: gpu.return
fuser.kernel @gelu(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 0.7978845608 : f32
  %cubic = arith.constant 0.044715 : f32
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.mul %0, %0 : tensor<4096x4096xf32>
  %2 = fuser.mul %1, %cubic : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %3 = fuser.add %2, %one : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %4 = fuser.mul %3, %0 : tensor<4096x4096xf32>
  %5 = fuser.mul %4, %k : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %6 = fuser.tanh %5 : tensor<4096x4096xf32>
  %7 = fuser.add %6, %one : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %8 = fuser.mul %0, %half : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %9 = fuser.mul %8, %7 : tensor<4096x4096xf32>
  %10 = fuser.cast %9 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %10 : tensor<4096x4096xbf16>
}

// -----

// So is it where its square is subtracted from 1. What multiplies it needs the terms near 0.
// CHECK-LABEL: gpu.func @tanh_gradient
// CHECK-NOT: math.tanh
// CHECK-NOT: arith.select
// CHECK: gpu.return
fuser.kernel @tanh_gradient(%dy: tensor<4096x4096xbf16>, %x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %one = arith.constant 1.0 : f32
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.tanh %0 : tensor<4096x4096xf32>
  %2 = fuser.mul %1, %1 : tensor<4096x4096xf32>
  %3 = fuser.sub %one, %2 : (f32, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %g = fuser.cast %dy : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %4 = fuser.mul %g, %3 : tensor<4096x4096xf32>
  %5 = fuser.cast %4 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %5 : tensor<4096x4096xbf16>
}

// -----

// CHECK-LABEL: gpu.func @gate
// CHECK-NOT: math.tanh
// CHECK: arith.select
// CHECK: gpu.return
fuser.kernel @gate(%y: tensor<4096x4096xbf16>, %x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.tanh %0 : tensor<4096x4096xf32>
  %z = fuser.cast %y : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %2 = fuser.mul %z, %1 : tensor<4096x4096xf32>
  %3 = fuser.cast %2 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %3 : tensor<4096x4096xbf16>
}

// -----

// An f32 output keeps what it is computed from exact; the other output's exponential is short.
// CHECK-LABEL: gpu.func @both
// CHECK-DAG: math.tanh
// CHECK-DAG: fuser_gpu.approx exp2
// CHECK-NOT: math.exp
// CHECK: gpu.return
fuser.kernel @both(%x: tensor<4096x4096xbf16>) -> (tensor<4096x4096xf32>, tensor<4096x4096xbf16>) {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.tanh %0 : tensor<4096x4096xf32>
  %2 = fuser.exp %1 : tensor<4096x4096xf32>
  %3 = fuser.cast %2 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %1, %3 : tensor<4096x4096xf32>, tensor<4096x4096xbf16>
}

// -----

// A comparison turns a small error into another element.
// CHECK-LABEL: gpu.func @compared
// CHECK: math.exp
// CHECK-NOT: fuser_gpu.approx
// CHECK: gpu.return
fuser.kernel @compared(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %one = arith.constant 1.0 : f32
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.exp %0 : tensor<4096x4096xf32>
  %2 = fuser.gt %1, %one : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xi1>
  %3 = fuser.where %2, %0, %one : (tensor<4096x4096xi1>, tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %4 = fuser.cast %3 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %4 : tensor<4096x4096xbf16>
}

// -----

// Few instructions per element: memory limits the kernel, and operands of an fma would only live longer.
// CHECK-LABEL: gpu.func @few
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @few(%x: tensor<4096x4096xbf16>, %y: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.cast %y : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %2 = fuser.mul %0, %1 : tensor<4096x4096xf32>
  %3 = fuser.add %2, %0 : tensor<4096x4096xf32>
  %4 = fuser.cast %3 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %4 : tensor<4096x4096xbf16>
}

// -----

// The difference of a product and itself stays 0: a product that is used twice is rounded. That of two products is fused
// with one of them.
// CHECK-LABEL: gpu.func @twice
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[X:.*]], %[[Y:.*]] : vector
// CHECK: fuser_gpu.approx exp2
// CHECK-NOT: math.fma %[[X]], %[[Y]]
// CHECK: gpu.return
fuser.kernel @twice(%x: tensor<4096x4096xbf16>, %y: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.cast %y : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %2 = fuser.mul %0, %1 : tensor<4096x4096xf32>
  %3 = fuser.tanh %2 : tensor<4096x4096xf32>
  %4 = fuser.exp %3 : tensor<4096x4096xf32>
  %5 = fuser.sub %4, %2 : tensor<4096x4096xf32>
  %6 = fuser.cast %5 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %6 : tensor<4096x4096xbf16>
}

// -----

// The scale is exact, the quotients that are rounded to 8 bits are products with its reciprocal.
// CHECK-LABEL: gpu.func @quantize
// CHECK: fuser_gpu.approx rcp
// CHECK-NOT: arith.divf {{.*}}vector
// CHECK: gpu.return
fuser.kernel @quantize(%x: tensor<2048x4096xbf16>) -> (tensor<2048x4096xf8E4M3FN>, tensor<2048xf32>) {
  %largest = arith.constant 448.0 : f32
  %0 = fuser.cast %x : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = fuser.abs %0 : tensor<2048x4096xf32>
  %2 = fuser.max %1 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %3 = fuser.div %2, %largest : (tensor<2048xf32>, f32) -> tensor<2048xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %5 = fuser.div %0, %4 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %6 = fuser.cast %5 : tensor<2048x4096xf32> to tensor<2048x4096xf8E4M3FN>
  fuser.return %6, %3 : tensor<2048x4096xf8E4M3FN>, tensor<2048xf32>
}

// -----

// The sum of a softmax is at least 1, and its exponentials are stored in 16 bits: subnormal ones may be 0, and quotients need no scale.
// CHECK-LABEL: gpu.func @stored_softmax
// CHECK-NOT: approx{{ +}}exp2 %{{[0-9a-z_]+}} :
// CHECK: fuser_gpu.approx exp2 %{{.*}} ftz
// CHECK-NOT: approx{{ +}}exp2 %{{[0-9a-z_]+}} :
// CHECK-NOT: math.absf
// CHECK: fuser_gpu.approx rcp %{{.*}} ftz
// CHECK: gpu.return
fuser.kernel @stored_softmax(%x: tensor<2048x4096xbf16>, %mask: tensor<4096xbf16>) -> tensor<2048x4096xbf16> {
  %b = fuser.broadcast %mask dims [0] : tensor<4096xbf16> -> tensor<1x4096xbf16>
  %s = fuser.add %x, %b : (tensor<2048x4096xbf16>, tensor<1x4096xbf16>) -> tensor<2048x4096xbf16>
  %0 = fuser.cast %s : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = fuser.max %0 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %4 = fuser.exp %3 : tensor<2048x4096xf32>
  %5 = fuser.sum %4 dims [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<2048xf32> -> tensor<2048x1xf32>
  %7 = fuser.div %4, %6 : (tensor<2048x4096xf32>, tensor<2048x1xf32>) -> tensor<2048x4096xf32>
  %8 = fuser.cast %7 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  fuser.return %8 : tensor<2048x4096xbf16>
}

// -----

// The logarithm of a softmax depends on its smallest exponentials. The sum does not: of two exponentials, one flushes.
// CHECK-LABEL: gpu.func @log_of_softmax
// CHECK: fuser_gpu.approx exp2 %{{.*}} ftz
// CHECK: approx{{ +}}exp2 %{{[0-9a-z_]+}} :
// CHECK: gpu.return
fuser.kernel @log_of_softmax(%x: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = fuser.cast %x : tensor<64x4096xbf16> to tensor<64x4096xf32>
  %1 = fuser.max %0 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<64x4096xf32>, tensor<64x1xf32>) -> tensor<64x4096xf32>
  %4 = fuser.exp %3 : tensor<64x4096xf32>
  %5 = fuser.sum %4 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %7 = fuser.div %4, %6 : (tensor<64x4096xf32>, tensor<64x1xf32>) -> tensor<64x4096xf32>
  %8 = fuser.log %7 : tensor<64x4096xf32>
  %9 = fuser.cast %8 : tensor<64x4096xf32> to tensor<64x4096xbf16>
  fuser.return %9 : tensor<64x4096xbf16>
}

// -----

// A difference from what is not the maximum of the same values: the sum may be as small as the exponentials. The same for a sum
// over fewer dimensions than the maximum.
// CHECK-LABEL: gpu.func @another_maximum
// CHECK-NOT: ftz
// CHECK: approx{{ +}}exp2 %{{[0-9a-z_]+}} :
// CHECK-NOT: ftz
// CHECK: math.absf
// CHECK-NOT: ftz
// CHECK: gpu.return
fuser.kernel @another_maximum(%x: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {
  %0 = fuser.cast %x : tensor<64x4096xbf16> to tensor<64x4096xf32>
  %n = fuser.neg %0 : tensor<64x4096xf32>
  %1 = fuser.max %n dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<64x4096xf32>, tensor<64x1xf32>) -> tensor<64x4096xf32>
  %4 = fuser.exp %3 : tensor<64x4096xf32>
  %5 = fuser.sum %4 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %7 = fuser.div %4, %6 : (tensor<64x4096xf32>, tensor<64x1xf32>) -> tensor<64x4096xf32>
  %8 = fuser.cast %7 : tensor<64x4096xf32> to tensor<64x4096xbf16>
  fuser.return %8 : tensor<64x4096xbf16>
}

// -----

// CHECK-LABEL: gpu.func @maximum_of_more
// CHECK-NOT: ftz
// CHECK: approx{{ +}}exp2 %{{[0-9a-z_]+}} :
// CHECK-NOT: ftz
// CHECK: gpu.return
fuser.kernel @maximum_of_more(%x: tensor<8x128xbf16>) -> tensor<8x128xbf16> {
  %0 = fuser.cast %x : tensor<8x128xbf16> to tensor<8x128xf32>
  %1 = fuser.max %0 dims [0, 1] : tensor<8x128xf32> -> tensor<f32>
  %2 = fuser.broadcast %1 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<8x128xf32>, tensor<1x1xf32>) -> tensor<8x128xf32>
  %4 = fuser.exp %3 : tensor<8x128xf32>
  %5 = fuser.sum %4 dims [1] : tensor<8x128xf32> -> tensor<8xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %7 = fuser.div %4, %6 : (tensor<8x128xf32>, tensor<8x1xf32>) -> tensor<8x128xf32>
  %8 = fuser.cast %7 : tensor<8x128xf32> to tensor<8x128xbf16>
  fuser.return %8 : tensor<8x128xbf16>
}

// -----

// Columns that are divided by their own sums, in loops: a reciprocal of each sum. 1 + exp(x) needs no scale but
// 1/4, with which the reciprocal is never denormal.
// CHECK-LABEL: gpu.func @columns
// CHECK: %[[E:.*]] = fuser_gpu.approx exp2 %{{.*}} ftz : vector<8xf32>
// CHECK: %[[SUM:.*]] = math.fma %[[E]], %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: fuser_gpu.approx rcp %[[SUM]] ftz : vector<8xf32>
// CHECK: arith.cmpf olt, %{{.*}} : vector<8xf32>
// CHECK: fuser_gpu.approx rcp %{{.*}} : vector<8xf32>
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @columns(%x: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = fuser.cast %x : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = fuser.sum %0 dims [0] : tensor<2048x4096xf32> -> tensor<4096xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %3 = fuser.silu %0 : tensor<2048x4096xf32>
  %4 = fuser.div %3, %2 : (tensor<2048x4096xf32>, tensor<1x4096xf32>) -> tensor<2048x4096xf32>
  %5 = fuser.cast %4 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  fuser.return %5 : tensor<2048x4096xbf16>
}

// -----

// Also without a loop, and by what one element is divided by: a number of at least 1 needs no scale.
// CHECK-LABEL: gpu.func @pointwise
// CHECK-NOT: arith.divf
// CHECK: fuser_gpu.approx rcp %{{.*}} : vector
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @pointwise(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.silu %0 : tensor<4096x4096xf32>
  %2 = fuser.cast %1 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %2 : tensor<4096x4096xbf16>
}

// -----

// By other divisors: the hardware's division is scheduled with fewer registers.
// CHECK-LABEL: gpu.func @others
// CHECK-NOT: fuser_gpu.approx rcp
// CHECK: arith.divf %{{.*}} : vector
// CHECK-NOT: fuser_gpu.approx rcp
// CHECK: gpu.return
fuser.kernel @others(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %two = arith.constant 2.0 : f32
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.exp %0 : tensor<4096x4096xf32>
  %2 = fuser.add %1, %two : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %3 = fuser.div %0, %2 : tensor<4096x4096xf32>
  %4 = fuser.cast %3 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %4 : tensor<4096x4096xbf16>
}

// -----

// Numbers of bf16 by one of a row, rounded to bf16: no quotient is a tie. The divisor is extended behind its broadcast.
// CHECK-LABEL: gpu.func @quotients
// CHECK-NOT: arith.divf
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
// CHECK-NOT: math.fma
// CHECK: gpu.return
fuser.kernel @quotients(%x: tensor<4096x4096xbf16>, %n: tensor<4096x1xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.div %x, %n : (tensor<4096x4096xbf16>, tensor<4096x1xbf16>) -> tensor<4096x4096xbf16>
  fuser.return %0 : tensor<4096x4096xbf16>
}

// -----

// Single elements of a row of odd length share it, too, and no other division is left.
// CHECK-LABEL: gpu.func @single_elements
// CHECK-NOT: arith.divf
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
// CHECK-NOT: arith.divf
// CHECK-NOT: fuser_gpu.approx
// CHECK: gpu.return
fuser.kernel @single_elements(%x: tensor<30000x263xbf16>, %n: tensor<30000x1xbf16>) -> tensor<30000xbf16> {
  %0 = fuser.div %x, %n : (tensor<30000x263xbf16>, tensor<30000x1xbf16>) -> tensor<30000x263xbf16>
  %1 = fuser.max %0 dims [1] : tensor<30000x263xbf16> -> tensor<30000xbf16>
  fuser.return %1 : tensor<30000xbf16>
}

// -----

// Numbers of bf16 by an f32 number, rounded to 8 bits: where the quotient is a number, it is exact, so that ties are.
// CHECK-LABEL: gpu.func @ties
// CHECK-NOT: arith.divf
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
// CHECK: math.fma
// CHECK: math.fma
// CHECK: arith.cmpf ueq
// CHECK: gpu.return
fuser.kernel @ties(%x: tensor<4096x4096xbf16>, %s: tensor<4096x1xf32>) -> tensor<4096x4096xf8E4M3FN> {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.div %0, %s : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %2 = fuser.cast %1 : tensor<4096x4096xf32> to tensor<4096x4096xf8E4M3FN>
  fuser.return %2 : tensor<4096x4096xf8E4M3FN>
}

// -----

// Computed numerators, which registers hold between the passes over a row, are not refined.
// CHECK-LABEL: gpu.func @softmax
// CHECK-NOT: arith.divf
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
// CHECK-NOT: arith.cmpf uno
// CHECK: gpu.return
fuser.kernel @softmax(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.exp %0 : tensor<4096x4096xf32>
  %2 = fuser.sum %1 dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %4 = fuser.div %1, %3 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %5 = fuser.cast %4 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %5 : tensor<4096x4096xbf16>
}

// -----

// No scale for a divisor that is at least 2^-100, or NaN: the maximum with a constant, rounded as well.
// CHECK-LABEL: gpu.func @clamped
// CHECK: %[[NORM:.*]] = arith.maximumf
// CHECK-NOT: arith.select
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
// CHECK-NOT: arith.select
// CHECK: gpu.return
fuser.kernel @clamped(%x: tensor<4096x4096xbf16>, %n: tensor<4096x1xbf16>) -> tensor<4096x4096xbf16> {
  %eps = arith.constant 1.0e-8 : f64
  %0 = fuser.maximum %n, %eps : (tensor<4096x1xbf16>, f64) -> tensor<4096x1xbf16>
  %1 = fuser.div %x, %0 : (tensor<4096x4096xbf16>, tensor<4096x1xbf16>) -> tensor<4096x4096xbf16>
  fuser.return %1 : tensor<4096x4096xbf16>
}

// -----

// CHECK-LABEL: gpu.func @clamped_to_little
// CHECK: arith.select
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
fuser.kernel @clamped_to_little(%x: tensor<4096x4096xbf16>, %n: tensor<4096x1xbf16>) -> tensor<4096x4096xbf16> {
  %eps = arith.constant 1.0e-35 : f64
  %0 = fuser.maximum %n, %eps : (tensor<4096x1xbf16>, f64) -> tensor<4096x1xbf16>
  %1 = fuser.div %x, %0 : (tensor<4096x4096xbf16>, tensor<4096x1xbf16>) -> tensor<4096x4096xbf16>
  fuser.return %1 : tensor<4096x4096xbf16>
}

// -----

// In f16, the constant is 0.
// CHECK-LABEL: gpu.func @clamped_to_zero
// CHECK: arith.select
// CHECK: fuser_gpu.approx rcp %{{.*}} : f32
fuser.kernel @clamped_to_zero(%x: tensor<4096x4096xf16>, %n: tensor<4096x1xf16>) -> tensor<4096x4096xf16> {
  %eps = arith.constant 1.0e-8 : f64
  %0 = fuser.maximum %n, %eps : (tensor<4096x1xf16>, f64) -> tensor<4096x1xf16>
  %1 = fuser.div %x, %0 : (tensor<4096x4096xf16>, tensor<4096x1xf16>) -> tensor<4096x4096xf16>
  fuser.return %1 : tensor<4096x4096xf16>
}

// -----

// Rows are moved as vectors that are wider than those that are computed of them: instructions of an element are counted nevertheless.
// CHECK-LABEL: gpu.func @moved_rows
// CHECK: vector.load %{{.*}} : memref<{{.*}}>, vector<8xbf16>
// CHECK: math.fma
// CHECK: gpu.return
fuser.kernel @moved_rows(%x: tensor<20000x300xbf16>, %y: tensor<20000x300xbf16>) -> (tensor<20000xbf16>, tensor<20000x300xbf16>) {
  %0 = fuser.cast %x : tensor<20000x300xbf16> to tensor<20000x300xf32>
  %1 = fuser.cast %y : tensor<20000x300xbf16> to tensor<20000x300xf32>
  %2 = fuser.exp %1 : tensor<20000x300xf32>
  %3 = fuser.mul %0, %2 : tensor<20000x300xf32>
  %4 = fuser.sum %3 dims [1] : tensor<20000x300xf32> -> tensor<20000xf32>
  %5 = fuser.cast %4 : tensor<20000xf32> to tensor<20000xbf16>
  %6 = fuser.broadcast %4 dims [1] : tensor<20000xf32> -> tensor<20000x1xf32>
  %7 = fuser.div %0, %6 : (tensor<20000x300xf32>, tensor<20000x1xf32>) -> tensor<20000x300xf32>
  %8 = fuser.cast %7 : tensor<20000x300xf32> to tensor<20000x300xbf16>
  fuser.return %5, %8 : tensor<20000xbf16>, tensor<20000x300xbf16>
}

// -----

// The same of scalar constants. Not by other numbers: the hardware's division is scheduled with fewer registers.
// CHECK-LABEL: gpu.func @silu
// CHECK: fuser_gpu.approx exp2 %{{.*}} ftz
// CHECK: fuser_gpu.approx rcp %{{.*}} : vector
// CHECK: gpu.return
fuser.kernel @silu(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %one = arith.constant 1.0 : f32
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.neg %0 : tensor<4096x4096xf32>
  %2 = fuser.exp %1 : tensor<4096x4096xf32>
  %3 = fuser.add %2, %one : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  %4 = fuser.div %0, %3 : tensor<4096x4096xf32>
  %5 = fuser.cast %4 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %5 : tensor<4096x4096xbf16>
}

// -----

// CHECK-LABEL: gpu.func @quotient
// CHECK: arith.divf %{{.*}} : vector
// CHECK: gpu.return
fuser.kernel @quotient(%x: tensor<4096x4096xbf16>, %y: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuser.div %x, %y : tensor<4096x4096xbf16>
  fuser.return %0 : tensor<4096x4096xbf16>
}

// -----

// exp(x) - 1 by the hardware's exponential, and by a series near 0.
// CHECK-LABEL: gpu.func @elu
// CHECK-NOT: math.expm1
// CHECK: fuser_gpu.approx exp2 %{{.*}} ftz
// CHECK-COUNT-4: math.fma
// CHECK: %[[NEAR:.*]] = arith.cmpf olt
// CHECK: arith.select %[[NEAR]]
// CHECK-NOT: math.expm1
// CHECK: gpu.return
fuser.kernel @elu(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.gt %0, %zero : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xi1>
  %2 = fuser.expm1 %0 : tensor<4096x4096xf32>
  %3 = fuser.where %1, %0, %2 : (tensor<4096x4096xi1>, tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %4 = fuser.cast %3 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %4 : tensor<4096x4096xbf16>
}

// -----

// CHECK-LABEL: gpu.func @exact_elu
// CHECK: math.expm1
fuser.kernel @exact_elu(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.expm1 %x : tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}
