// RUN: not fuser-run %s --device=host 2>&1 | FileCheck %s
// A function that holds a foreign op is no program to run, and the op is named.

// CHECK: error: {{.*}}expected a function of ops that convert to fuser (remarks say which do not, and why), but got this one in @foreign
func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func @foreign(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %1 = func.call @other(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
