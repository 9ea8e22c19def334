// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// f32 math of operands whose range is known from what computes them is shorter: no special cases.

// A divisor of at least 1: a fourth of both sides, whose reciprocal is 0 only for an infinite divisor. The product is the quotient
// where it has no rest.
// CHECK-LABEL: gpu.func @silu
// CHECK-DAG: %[[QUARTER:.*]] = arith.constant dense<2.500000e-01>
// CHECK: %[[X:.*]] = vector.load
// CHECK: %[[EXP:.*]] = math.exp
// CHECK: %[[D:.*]] = math.fma %[[EXP]], %[[QUARTER]], %[[QUARTER]]
// CHECK: %[[N:.*]] = arith.mulf %[[X]], %[[QUARTER]]
// CHECK: %[[R:.*]] = fuser_gpu.approx rcp %[[D]] ftz
// CHECK: %[[Q:.*]] = arith.mulf %[[N]], %[[R]]
// CHECK: %[[NEG:.*]] = arith.negf %[[Q]]
// CHECK: %[[REST:.*]] = math.fma %[[NEG]], %[[D]], %[[N]]
// CHECK: %[[REFINED:.*]] = math.fma %[[REST]], %[[R]], %[[Q]]
// CHECK: %[[NONE:.*]] = arith.cmpf ueq, %[[REFINED]], %{{.*}}
// CHECK: arith.select %[[NONE]], %[[Q]], %[[REFINED]]
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @silu(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.silu %x : tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// -----

// CHECK-LABEL: gpu.func @log_sigmoid
// CHECK: %[[EXP:.*]] = math.exp
// CHECK-COUNT-8: math.fma {{.*}}, %[[EXP]], %{{.*}} : vector<4xf32>
// CHECK: arith.mulf {{.*}}, %[[EXP]]
// CHECK: math.fma {{.*}}, %[[EXP]], %[[EXP]]
// CHECK-NOT: math.log1p
// CHECK: gpu.return
fuser.kernel @log_sigmoid(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.log_sigmoid %x : tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// -----

// Not for other divisors, and for exponentials that may be above 1.
// CHECK-LABEL: gpu.func @others
// CHECK-NOT: fuser_gpu.approx
// CHECK: math.log1p
// CHECK-NOT: fuser_gpu.approx
// CHECK: arith.divf
// CHECK-NOT: fuser_gpu.approx
// CHECK: gpu.return
fuser.kernel @others(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %two = arith.constant 2.0 : f64
  %0 = fuser.exp %x : tensor<4096x4096xf32>
  %1 = fuser.log1p %0 : tensor<4096x4096xf32>
  %2 = fuser.add %0, %two : (tensor<4096x4096xf32>, f64) -> tensor<4096x4096xf32>
  %3 = fuser.div %1, %2 : tensor<4096x4096xf32>
  fuser.return %3 : tensor<4096x4096xf32>
}

// -----

// Many divisions outside of loops would take registers side by side.
// CHECK-LABEL: gpu.func @many
// CHECK-NOT: fuser_gpu.approx
// CHECK-COUNT-9: arith.divf
// CHECK-NOT: fuser_gpu.approx
// CHECK: gpu.return
fuser.kernel @many(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.silu %x : tensor<4096x4096xf32>
  %1 = fuser.silu %0 : tensor<4096x4096xf32>
  %2 = fuser.silu %1 : tensor<4096x4096xf32>
  %3 = fuser.silu %2 : tensor<4096x4096xf32>
  %4 = fuser.silu %3 : tensor<4096x4096xf32>
  %5 = fuser.silu %4 : tensor<4096x4096xf32>
  %6 = fuser.silu %5 : tensor<4096x4096xf32>
  %7 = fuser.silu %6 : tensor<4096x4096xf32>
  %8 = fuser.silu %7 : tensor<4096x4096xf32>
  fuser.return %8 : tensor<4096x4096xf32>
}

// -----

// A dividend that is often 0: the hardware's division branches for it. 0 times the quotient of another number is 0, with the sign of
// the quotient, or NaN.
// CHECK-LABEL: gpu.func @divides_selections
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK-DAG: %[[OTHER:.*]] = arith.constant dense<2.38418579E-7>
// CHECK: %[[X:.*]] = arith.maximumf
// CHECK: %[[IS_ZERO:.*]] = arith.cmpf oeq, %[[X]], %[[ZERO]]
// CHECK: %[[DIVIDEND:.*]] = arith.select %[[IS_ZERO]], %[[OTHER]], %[[X]]
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[DIVIDEND]], %[[Y:.*]] :
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[QUOTIENT]]
// CHECK: arith.select %[[IS_ZERO]], %[[PRODUCT]], %[[QUOTIENT]]
// CHECK: gpu.return
fuser.kernel @divides_selections(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.relu %x : tensor<4096x4096xf32>
  %1 = fuser.div %0, %y : tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// -----

// CHECK-LABEL: gpu.func @divides_any
// CHECK: arith.divf
// CHECK-NOT: arith.select
// CHECK: gpu.return
fuser.kernel @divides_any(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.div %x, %y : tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}
