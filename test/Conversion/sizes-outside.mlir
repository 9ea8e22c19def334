// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser=strict | FileCheck %s
// Sizes of dimensions that a tensor lacks, which upstream does not define, are left to the op that asks for them.

// CHECK-LABEL: fuser.fusion @behind(
// CHECK: %[[C:.*]] = arith.constant 2 : index
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %[[C]] : tensor<?x?xf32>
// CHECK: fuser.full %{{.*}} sizes(%[[N]])
func.func @behind(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @before(
// CHECK: %[[C:.*]] = arith.constant -1 : index
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %[[C]] : tensor<?x?xf32>
// CHECK: fuser.full %{{.*}} sizes(%[[N]])
func.func @before(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %n = tensor.dim %x, %c : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
