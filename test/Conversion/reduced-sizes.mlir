// RUN: fuser-opt %s --fuser-convert-fuser-to-linalg | FileCheck %s
// What a reduction divides by is the number of elements that it reads for each result.

// CHECK-LABEL: func.func @moments
// CHECK: %[[COUNT:.*]] = arith.constant 15 : index
// CHECK: linalg.yield
// CHECK: arith.index_cast %[[COUNT]]
// CHECK: arith.cmpi eq, %[[COUNT]],
fuser.fusion @moments(%x: tensor<3x5x7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %0, %1 = fuser.var_mean %x dims [0, 1] correction 1 : tensor<3x5x7xf32> -> tensor<7xf32>, tensor<7xf32>
  fuser.return %0, %1 : tensor<7xf32>, tensor<7xf32>
}

// CHECK-LABEL: func.func @mean
// CHECK-SAME: (%[[X:.*]]: tensor<3x?xf32>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[COUNT:.*]] = tensor.dim %[[X]], %[[ONE]]
// CHECK: linalg.yield
// CHECK: arith.index_cast %[[COUNT]]
fuser.fusion @mean(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %0 = fuser.mean %x dims [1] : tensor<3x?xf32> -> tensor<3xf32>
  fuser.return %0 : tensor<3xf32>
}
