// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-convert-linalg-to-fuser | FileCheck %s
// Ops on tensors with an encoding, which may state a layout or a sparse storage, stay as they are.

// CHECK-LABEL: func.func @blocked(
// CHECK-NOT: fuser.
// CHECK: linalg.exp
func.func @blocked(%x: tensor<4x8xf32, "blocked">) -> tensor<4x8xf32, "blocked"> {
  %e = tensor.empty() : tensor<4x8xf32, "blocked">
  // expected-remark @+1 {{expected tensors without an encoding, but got tensor<4x8xf32, "blocked">}}
  %0 = linalg.exp ins(%x : tensor<4x8xf32, "blocked">) outs(%e : tensor<4x8xf32, "blocked">) -> tensor<4x8xf32, "blocked">
  return %0 : tensor<4x8xf32, "blocked">
}

// -----

// Other ops of the function are converted.
// CHECK-LABEL: func.func @mixed(
// CHECK: linalg.exp
// CHECK: fuser.call
func.func @mixed(%x: tensor<4x8xf32, "blocked">, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-remark @+1 {{expected tensors without an encoding}}
  %0 = linalg.exp ins(%x : tensor<4x8xf32, "blocked">) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.exp ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @unused(
// CHECK: fuser.call
func.func @unused(%x: tensor<4x8xf32, "blocked">, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.exp ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
