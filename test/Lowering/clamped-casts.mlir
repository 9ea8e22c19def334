// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// A cast to an integer saturates, except for what minima and maxima with constants bound.

// NaN is left.
// CHECK-LABEL: gpu.func @clamped
// CHECK: arith.fptosi
// CHECK-NOT: arith.cmpf o
// CHECK: arith.cmpf uno
// CHECK-NOT: arith.cmpf o
// CHECK: gpu.return
fuser.kernel @clamped(%x: tensor<4096xf32>) -> tensor<4096xi8> {
  %low = arith.constant -128.0 : f64
  %high = arith.constant 127.0 : f64
  %0 = fuser.maximum %x, %low : (tensor<4096xf32>, f64) -> tensor<4096xf32>
  %1 = fuser.minimum %0, %high : (tensor<4096xf32>, f64) -> tensor<4096xf32>
  %2 = fuser.cast %1 : tensor<4096xf32> to tensor<4096xi8>
  fuser.return %2 : tensor<4096xi8>
}

// -----

// One side.
// CHECK-LABEL: gpu.func @above
// CHECK: arith.fptosi
// CHECK: arith.cmpf oge
// CHECK-NOT: arith.cmpf olt
// CHECK: gpu.return
fuser.kernel @above(%x: tensor<4096xf32>) -> tensor<4096xi8> {
  %low = arith.constant 0.0 : f64
  %0 = fuser.maximum %x, %low : (tensor<4096xf32>, f64) -> tensor<4096xf32>
  %1 = fuser.cast %0 : tensor<4096xf32> to tensor<4096xi8>
  fuser.return %1 : tensor<4096xi8>
}

// -----

// A maximum with an element may be less than its other operand's bound allows.
// CHECK-LABEL: gpu.func @either
// CHECK: arith.fptosi
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf olt
// CHECK: gpu.return
fuser.kernel @either(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xi8> {
  %high = arith.constant 127.0 : f64
  %0 = fuser.minimum %x, %high : (tensor<4096xf32>, f64) -> tensor<4096xf32>
  %1 = fuser.maximum %0, %y : tensor<4096xf32>
  %2 = fuser.cast %1 : tensor<4096xf32> to tensor<4096xi8>
  fuser.return %2 : tensor<4096xi8>
}

// -----

// The bound is rounded to bf16, 128.
// CHECK-LABEL: gpu.func @rounded
// CHECK: arith.fptosi
// CHECK: arith.cmpf oge
// CHECK: gpu.return
fuser.kernel @rounded(%x: tensor<4096xbf16>) -> tensor<4096xi8> {
  %high = arith.constant 127.9 : f64
  %c = fuser.full %high : f64 -> tensor<bf16>
  %b = fuser.broadcast %c dims [0] : tensor<bf16> -> tensor<1xbf16>
  %0 = fuser.minimum %x, %b : (tensor<4096xbf16>, tensor<1xbf16>) -> tensor<4096xbf16>
  %1 = fuser.cast %0 : tensor<4096xbf16> to tensor<4096xi8>
  fuser.return %1 : tensor<4096xi8>
}
