// RUN: fuser-run %s --device=host --check --size a=5x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size a=1x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size a=0x16 | FileCheck %s
// A linalg.matmul with a pointwise op behind it.

// CHECK: check {{ *}}output 0: ok
func.func @products(%a: tensor<?x16xf32>, %b: tensor<16x9xf32>) -> tensor<?x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x9xf32>) -> tensor<?x9xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x9xf32>) outs(%f : tensor<?x9xf32>) -> tensor<?x9xf32>
  %1 = math.tanh %0 : tensor<?x9xf32>
  return %1 : tensor<?x9xf32>
}
