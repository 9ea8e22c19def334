// RUN: fuser-run %s --device=host --no-run --dump-after=segmentation 2>&1 | FileCheck %s
// Names of a function of another front end; numbers and the names that the printer invents are no names.
// CHECK: fuser.host @exp(%arg0: tensor<4xf32>, %data: tensor<4xf32>, %arg2: tensor<4xf32>)
func.func @exp(%arg0: tensor<4xf32>, %data: tensor<4xf32>, %2: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %3 = linalg.exp ins(%data : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.add ins(%3, %arg0 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.mul ins(%4, %2 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
