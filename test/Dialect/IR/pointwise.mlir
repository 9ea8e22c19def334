// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Every pointwise op round-trips in its pretty and its generic form.

// CHECK-LABEL: fuser.fusion @unary
fuser.fusion @unary(%x: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  // CHECK: fuser.neg %{{.*}} : tensor<?x8xbf16>
  %0 = fuser.neg %x : tensor<?x8xbf16>
  // CHECK: fuser.abs %{{.*}} : tensor<?x8xbf16>
  %1 = fuser.abs %0 : tensor<?x8xbf16>
  // CHECK: fuser.exp %{{.*}} : tensor<?x8xbf16>
  %2 = fuser.exp %1 : tensor<?x8xbf16>
  // CHECK: fuser.exp2 %{{.*}} : tensor<?x8xbf16>
  %3 = fuser.exp2 %2 : tensor<?x8xbf16>
  // CHECK: fuser.expm1 %{{.*}} : tensor<?x8xbf16>
  %4 = fuser.expm1 %3 : tensor<?x8xbf16>
  // CHECK: fuser.log %{{.*}} : tensor<?x8xbf16>
  %5 = fuser.log %4 : tensor<?x8xbf16>
  // CHECK: fuser.log2 %{{.*}} : tensor<?x8xbf16>
  %6 = fuser.log2 %5 : tensor<?x8xbf16>
  // CHECK: fuser.log1p %{{.*}} : tensor<?x8xbf16>
  %7 = fuser.log1p %6 : tensor<?x8xbf16>
  // CHECK: fuser.sqrt %{{.*}} : tensor<?x8xbf16>
  %8 = fuser.sqrt %7 : tensor<?x8xbf16>
  // CHECK: fuser.rsqrt %{{.*}} : tensor<?x8xbf16>
  %9 = fuser.rsqrt %8 : tensor<?x8xbf16>
  // CHECK: fuser.reciprocal %{{.*}} : tensor<?x8xbf16>
  %10 = fuser.reciprocal %9 : tensor<?x8xbf16>
  // CHECK: fuser.sin %{{.*}} : tensor<?x8xbf16>
  %11 = fuser.sin %10 : tensor<?x8xbf16>
  // CHECK: fuser.cos %{{.*}} : tensor<?x8xbf16>
  %12 = fuser.cos %11 : tensor<?x8xbf16>
  // CHECK: fuser.tan %{{.*}} : tensor<?x8xbf16>
  %13 = fuser.tan %12 : tensor<?x8xbf16>
  // CHECK: fuser.asin %{{.*}} : tensor<?x8xbf16>
  %asin = fuser.asin %12 : tensor<?x8xbf16>
  // CHECK: fuser.acos %{{.*}} : tensor<?x8xbf16>
  %acos = fuser.acos %12 : tensor<?x8xbf16>
  // CHECK: fuser.sinh %{{.*}} : tensor<?x8xbf16>
  %sinh = fuser.sinh %12 : tensor<?x8xbf16>
  // CHECK: fuser.cosh %{{.*}} : tensor<?x8xbf16>
  %cosh = fuser.cosh %12 : tensor<?x8xbf16>
  // CHECK: fuser.asinh %{{.*}} : tensor<?x8xbf16>
  %asinh = fuser.asinh %12 : tensor<?x8xbf16>
  // CHECK: fuser.acosh %{{.*}} : tensor<?x8xbf16>
  %acosh = fuser.acosh %12 : tensor<?x8xbf16>
  // CHECK: fuser.atanh %{{.*}} : tensor<?x8xbf16>
  %atanh = fuser.atanh %12 : tensor<?x8xbf16>
  // CHECK: fuser.atan %{{.*}} : tensor<?x8xbf16>
  %atan = fuser.atan %12 : tensor<?x8xbf16>
  // CHECK: fuser.tanh %{{.*}} : tensor<?x8xbf16>
  %14 = fuser.tanh %13 : tensor<?x8xbf16>
  // CHECK: fuser.sigmoid %{{.*}} : tensor<?x8xbf16>
  %15 = fuser.sigmoid %14 : tensor<?x8xbf16>
  // CHECK: fuser.erf %{{.*}} : tensor<?x8xbf16>
  %16 = fuser.erf %15 : tensor<?x8xbf16>
  // CHECK: fuser.relu %{{.*}} : tensor<?x8xbf16>
  %17 = fuser.relu %16 : tensor<?x8xbf16>
  // CHECK: fuser.silu %{{.*}} : tensor<?x8xbf16>
  %18 = fuser.silu %17 : tensor<?x8xbf16>
  // CHECK: fuser.gelu %{{.*}} : tensor<?x8xbf16>
  %19 = fuser.gelu %18 : tensor<?x8xbf16>
  // CHECK: fuser.floor %{{.*}} : tensor<?x8xbf16>
  %20 = fuser.floor %19 : tensor<?x8xbf16>
  // CHECK: fuser.ceil %{{.*}} : tensor<?x8xbf16>
  %21 = fuser.ceil %20 : tensor<?x8xbf16>
  // CHECK: fuser.trunc %{{.*}} : tensor<?x8xbf16>
  %22 = fuser.trunc %21 : tensor<?x8xbf16>
  // CHECK: fuser.round %{{.*}} : tensor<?x8xbf16>
  %23 = fuser.round %22 : tensor<?x8xbf16>
  // CHECK: fuser.sign %{{.*}} : tensor<?x8xbf16>
  %24 = fuser.sign %23 : tensor<?x8xbf16>
  // CHECK: fuser.gelu %{{.*}} {approximate} : tensor<?x8xbf16>
  %a = fuser.gelu %24 {approximate} : tensor<?x8xbf16>
  fuser.return %a : tensor<?x8xbf16>
}

// CHECK-LABEL: fuser.fusion @binary
fuser.fusion @binary(%x: tensor<?x8xbf16>, %y: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  // CHECK: fuser.add %{{.*}}, %y : tensor<?x8xbf16>
  %0 = fuser.add %x, %y : tensor<?x8xbf16>
  // CHECK: fuser.sub %{{.*}}, %y : tensor<?x8xbf16>
  %1 = fuser.sub %0, %y : tensor<?x8xbf16>
  // CHECK: fuser.mul %{{.*}}, %y : tensor<?x8xbf16>
  %2 = fuser.mul %1, %y : tensor<?x8xbf16>
  // CHECK: fuser.div %{{.*}}, %y : tensor<?x8xbf16>
  %3 = fuser.div %2, %y : tensor<?x8xbf16>
  // CHECK: fuser.floor_div %{{.*}}, %y : tensor<?x8xbf16>
  %4 = fuser.floor_div %3, %y : tensor<?x8xbf16>
  // CHECK: fuser.trunc_div %{{.*}}, %y : tensor<?x8xbf16>
  %5 = fuser.trunc_div %4, %y : tensor<?x8xbf16>
  // CHECK: fuser.remainder %{{.*}}, %y : tensor<?x8xbf16>
  %6 = fuser.remainder %5, %y : tensor<?x8xbf16>
  // CHECK: fuser.fmod %{{.*}}, %y : tensor<?x8xbf16>
  %7 = fuser.fmod %6, %y : tensor<?x8xbf16>
  // CHECK: fuser.pow %{{.*}}, %y : tensor<?x8xbf16>
  %8 = fuser.pow %7, %y : tensor<?x8xbf16>
  // CHECK: fuser.atan2 %{{.*}}, %y : tensor<?x8xbf16>
  %9 = fuser.atan2 %8, %y : tensor<?x8xbf16>
  // CHECK: fuser.maximum %{{.*}}, %y : tensor<?x8xbf16>
  %10 = fuser.maximum %9, %y : tensor<?x8xbf16>
  // CHECK: fuser.minimum %{{.*}}, %y : tensor<?x8xbf16>
  %11 = fuser.minimum %10, %y : tensor<?x8xbf16>
  // CHECK: fuser.fmax %{{.*}}, %y : tensor<?x8xbf16>
  %12 = fuser.fmax %11, %y : tensor<?x8xbf16>
  // CHECK: fuser.fmin %{{.*}}, %y : tensor<?x8xbf16>
  %13 = fuser.fmin %12, %y : tensor<?x8xbf16>
  fuser.return %13 : tensor<?x8xbf16>
}

// CHECK-LABEL: fuser.fusion @bits
fuser.fusion @bits(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  // CHECK: fuser.bitwise_and %{{.*}}, %y : tensor<?xi32>
  %0 = fuser.bitwise_and %x, %y : tensor<?xi32>
  // CHECK: fuser.bitwise_or %{{.*}}, %y : tensor<?xi32>
  %1 = fuser.bitwise_or %0, %y : tensor<?xi32>
  // CHECK: fuser.bitwise_xor %{{.*}}, %y : tensor<?xi32>
  %2 = fuser.bitwise_xor %1, %y : tensor<?xi32>
  // CHECK: fuser.shift_left %{{.*}}, %y : tensor<?xi32>
  %3 = fuser.shift_left %2, %y : tensor<?xi32>
  // CHECK: fuser.shift_right %{{.*}}, %y : tensor<?xi32>
  %4 = fuser.shift_right %3, %y : tensor<?xi32>
  // CHECK: fuser.bitwise_not %{{.*}} : tensor<?xi32>
  %n = fuser.bitwise_not %4 : tensor<?xi32>
  fuser.return %n : tensor<?xi32>
}

// CHECK-LABEL: fuser.fusion @tests
fuser.fusion @tests(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xi1> {
  // CHECK: fuser.eq %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %0 = fuser.eq %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.ne %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %1 = fuser.ne %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.lt %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %2 = fuser.lt %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.le %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %3 = fuser.le %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.gt %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %4 = fuser.gt %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.ge %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %5 = fuser.ge %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.logical_and %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %6 = fuser.logical_and %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.logical_or %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %7 = fuser.logical_or %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.logical_xor %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  %8 = fuser.logical_xor %x, %y : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.isnan %x : (tensor<?xf16>) -> tensor<?xi1>
  %u0 = fuser.isnan %x : (tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.isinf %x : (tensor<?xf16>) -> tensor<?xi1>
  %u1 = fuser.isinf %x : (tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.isfinite %x : (tensor<?xf16>) -> tensor<?xi1>
  %u2 = fuser.isfinite %x : (tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.logical_not %x : (tensor<?xf16>) -> tensor<?xi1>
  %u3 = fuser.logical_not %x : (tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.logical_and %{{.*}}, %{{.*}} : tensor<?xi1>
  %b = fuser.logical_and %0, %u0 : tensor<?xi1>
  fuser.return %b : tensor<?xi1>
}

// CHECK-LABEL: fuser.fusion @ternary
fuser.fusion @ternary(%c: tensor<?x8xi1>, %x: tensor<?x8xf32>, %y: tensor<1x8xf32>, %s: f64, %n: i64) -> tensor<?x8xf32> {
  // CHECK: fuser.where %c, %x, %s : (tensor<?x8xi1>, tensor<?x8xf32>, f64) -> tensor<?x8xf32>
  %0 = fuser.where %c, %x, %s : (tensor<?x8xi1>, tensor<?x8xf32>, f64) -> tensor<?x8xf32>
  // CHECK: fuser.where %c, %s, %n : (tensor<?x8xi1>, f64, i64) -> tensor<?x8xf32>
  %1 = fuser.where %c, %s, %n : (tensor<?x8xi1>, f64, i64) -> tensor<?x8xf32>
  // CHECK: fuser.clamp %{{.*}}, %s, %y : (tensor<?x8xf32>, f64, tensor<1x8xf32>) -> tensor<?x8xf32>
  %2 = fuser.clamp %0, %s, %y : (tensor<?x8xf32>, f64, tensor<1x8xf32>) -> tensor<?x8xf32>
  // CHECK: fuser.lerp %{{.*}}, %{{.*}}, %s : (tensor<?x8xf32>, tensor<?x8xf32>, f64) -> tensor<?x8xf32>
  %3 = fuser.lerp %1, %2, %s : (tensor<?x8xf32>, tensor<?x8xf32>, f64) -> tensor<?x8xf32>
  // CHECK: fuser.fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x8xf32>
  %4 = fuser.fma %1, %2, %3 : tensor<?x8xf32>
  // CHECK: fuser.addcmul %{{.*}}, %{{.*}}, %y, %n : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<1x8xf32>, i64) -> tensor<?x8xf32>
  %5 = fuser.addcmul %4, %1, %y, %n : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<1x8xf32>, i64) -> tensor<?x8xf32>
  fuser.return %5 : tensor<?x8xf32>
}

// CHECK-LABEL: fuser.fusion @casts
fuser.fusion @casts(%x: tensor<f64>) -> tensor<i1> {
  // CHECK: fuser.cast %x : tensor<f64> to tensor<f8E4M3FN>
  %0 = fuser.cast %x : tensor<f64> to tensor<f8E4M3FN>
  // CHECK: fuser.cast %{{.*}} {memory = #fuser.memory<shared>} : tensor<f8E4M3FN> to tensor<i8>
  %1 = fuser.cast %0 {memory = #fuser.memory<shared>} : tensor<f8E4M3FN> to tensor<i8>
  // CHECK: fuser.cast %{{.*}} : tensor<i8> to tensor<i1>
  %2 = fuser.cast %1 : tensor<i8> to tensor<i1>
  fuser.return %2 : tensor<i1>
}

// CHECK-LABEL: fuser.fusion @activations
fuser.fusion @activations(%x: tensor<?x8xbf16>, %y: tensor<?x8xbf16>, %s: f32, %t: f32) -> tensor<?x8xbf16> {
  // CHECK: fuser.selu %{{.*}} : tensor<?x8xbf16>
  %0 = fuser.selu %x : tensor<?x8xbf16>
  // CHECK: fuser.log_sigmoid %{{.*}} : tensor<?x8xbf16>
  %1 = fuser.log_sigmoid %0 : tensor<?x8xbf16>
  // CHECK: fuser.hardsigmoid %{{.*}} : tensor<?x8xbf16>
  %2 = fuser.hardsigmoid %1 : tensor<?x8xbf16>
  // CHECK: fuser.hardswish %{{.*}} : tensor<?x8xbf16>
  %3 = fuser.hardswish %2 : tensor<?x8xbf16>
  // CHECK: fuser.mish %{{.*}} : tensor<?x8xbf16>
  %4 = fuser.mish %3 : tensor<?x8xbf16>
  // CHECK: fuser.log10 %{{.*}} : tensor<?x8xbf16>
  %5 = fuser.log10 %4 : tensor<?x8xbf16>
  // CHECK: fuser.erfc %{{.*}} : tensor<?x8xbf16>
  %6 = fuser.erfc %5 : tensor<?x8xbf16>
  // CHECK: fuser.cbrt %{{.*}} : tensor<?x8xbf16>
  %7 = fuser.cbrt %6 : tensor<?x8xbf16>
  // CHECK: fuser.erfinv %{{.*}} : tensor<?x8xbf16>
  %8 = fuser.erfinv %7 : tensor<?x8xbf16>
  // CHECK: fuser.frac %{{.*}} : tensor<?x8xbf16>
  %9 = fuser.frac %8 : tensor<?x8xbf16>
  // CHECK: fuser.sigmoid_backward %{{.*}}, %y : tensor<?x8xbf16>
  %10 = fuser.sigmoid_backward %9, %y : tensor<?x8xbf16>
  // CHECK: fuser.tanh_backward %{{.*}}, %y : tensor<?x8xbf16>
  %11 = fuser.tanh_backward %10, %y : tensor<?x8xbf16>
  // CHECK: fuser.silu_backward %{{.*}}, %y : tensor<?x8xbf16>
  %12 = fuser.silu_backward %11, %y : tensor<?x8xbf16>
  // CHECK: fuser.gelu_backward %{{.*}}, %y : tensor<?x8xbf16>
  %13 = fuser.gelu_backward %12, %y : tensor<?x8xbf16>
  // CHECK: fuser.log_sigmoid_backward %{{.*}}, %y : tensor<?x8xbf16>
  %14 = fuser.log_sigmoid_backward %13, %y : tensor<?x8xbf16>
  // CHECK: fuser.hardsigmoid_backward %{{.*}}, %y : tensor<?x8xbf16>
  %15 = fuser.hardsigmoid_backward %14, %y : tensor<?x8xbf16>
  // CHECK: fuser.hardswish_backward %{{.*}}, %y : tensor<?x8xbf16>
  %16 = fuser.hardswish_backward %15, %y : tensor<?x8xbf16>
  // CHECK: fuser.mish_backward %{{.*}}, %y : tensor<?x8xbf16>
  %17 = fuser.mish_backward %16, %y : tensor<?x8xbf16>
  // CHECK: fuser.copysign %{{.*}}, %y : tensor<?x8xbf16>
  %18 = fuser.copysign %17, %y : tensor<?x8xbf16>
  // CHECK: fuser.hypot %{{.*}}, %y : tensor<?x8xbf16>
  %19 = fuser.hypot %18, %y : tensor<?x8xbf16>
  // CHECK: fuser.logaddexp %{{.*}}, %y : tensor<?x8xbf16>
  %20 = fuser.logaddexp %19, %y : tensor<?x8xbf16>
  // CHECK: fuser.xlogy %{{.*}}, %y : tensor<?x8xbf16>
  %21 = fuser.xlogy %20, %y : tensor<?x8xbf16>
  // CHECK: fuser.nextafter %{{.*}}, %y : tensor<?x8xbf16>
  %22 = fuser.nextafter %21, %y : tensor<?x8xbf16>
  // CHECK: fuser.gelu_backward %{{.*}}, %y {approximate} : tensor<?x8xbf16>
  %23 = fuser.gelu_backward %22, %y {approximate} : tensor<?x8xbf16>
  // CHECK: fuser.lgamma %{{.*}} : tensor<?x8xbf16>
  %lgamma = fuser.lgamma %23 : tensor<?x8xbf16>
  // CHECK: fuser.digamma %{{.*}} : tensor<?x8xbf16>
  %digamma = fuser.digamma %lgamma : tensor<?x8xbf16>
  // CHECK: fuser.leaky_relu %{{.*}}, %s : (tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %24 = fuser.leaky_relu %23, %s : (tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.elu %{{.*}}, %s : (tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %25 = fuser.elu %24, %s : (tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.celu %{{.*}}, %s : (tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %26 = fuser.celu %25, %s : (tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.softplus %{{.*}}, %s, %t : (tensor<?x8xbf16>, f32, f32) -> tensor<?x8xbf16>
  %27 = fuser.softplus %26, %s, %t : (tensor<?x8xbf16>, f32, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.threshold %{{.*}}, %s, %t : (tensor<?x8xbf16>, f32, f32) -> tensor<?x8xbf16>
  %28 = fuser.threshold %27, %s, %t : (tensor<?x8xbf16>, f32, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.leaky_relu_backward %{{.*}}, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %29 = fuser.leaky_relu_backward %28, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.elu_backward %{{.*}}, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %30 = fuser.elu_backward %29, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.threshold_backward %{{.*}}, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %31 = fuser.threshold_backward %30, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.softplus_backward %{{.*}}, %y, %s, %t : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32, f32) -> tensor<?x8xbf16>
  %32 = fuser.softplus_backward %31, %y, %s, %t : (tensor<?x8xbf16>, tensor<?x8xbf16>, f32, f32) -> tensor<?x8xbf16>
  // CHECK: fuser.addcdiv %{{.*}}, %y, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  %33 = fuser.addcdiv %32, %y, %y, %s : (tensor<?x8xbf16>, tensor<?x8xbf16>, tensor<?x8xbf16>, f32) -> tensor<?x8xbf16>
  fuser.return %33 : tensor<?x8xbf16>
}

// CHECK-LABEL: fuser.fusion @sign_tests
fuser.fusion @sign_tests(%x: tensor<?xf16>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  // CHECK: fuser.signbit %x : (tensor<?xf16>) -> tensor<?xi1>
  %0 = fuser.signbit %x : (tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.isposinf %x : (tensor<?xf16>) -> tensor<?xi1>
  %1 = fuser.isposinf %x : (tensor<?xf16>) -> tensor<?xi1>
  // CHECK: fuser.isneginf %x : (tensor<?xf16>) -> tensor<?xi1>
  %2 = fuser.isneginf %x : (tensor<?xf16>) -> tensor<?xi1>
  fuser.return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

// CHECK-LABEL: fuser.fusion @number_theory
fuser.fusion @number_theory(%x: tensor<?x8xi32>, %y: tensor<1x8xi32>, %s: i64) -> tensor<?x8xi32> {
  // CHECK: fuser.gcd %x, %y : (tensor<?x8xi32>, tensor<1x8xi32>) -> tensor<?x8xi32>
  %0 = fuser.gcd %x, %y : (tensor<?x8xi32>, tensor<1x8xi32>) -> tensor<?x8xi32>
  // CHECK: fuser.lcm %{{.*}}, %x : tensor<?x8xi32>
  %1 = fuser.lcm %0, %x : tensor<?x8xi32>
  // CHECK: fuser.logical_shift_right %{{.*}}, %s : (tensor<?x8xi32>, i64) -> tensor<?x8xi32>
  %2 = fuser.logical_shift_right %1, %s : (tensor<?x8xi32>, i64) -> tensor<?x8xi32>
  fuser.return %2 : tensor<?x8xi32>
}
