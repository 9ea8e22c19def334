// RUN: fuser-run %s --program=swapped --size x=4x6 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=swapped --size x=1x5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=swapped --size x=0x3 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=split --size x=6x5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=same --size x=4x6 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=flat --size x=4x6 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=swapped --size x=4x6 --device=host --save-output=%t.swapped.npy
// RUN: fuser-run %s --program=flat --size x=4x6 --device=host --save-output=%t.flat.npy
// RUN: fuser-run %s --program=split --size x=6x5 --device=host --save-output=%t.split.npy
// RUN: fuser-run %s --program=flat --size x=6x5 --device=host --save-output=%t.merged.npy
// RUN: %python -c "import numpy as np; a, b = np.load('%t.swapped.npy'), np.load('%t.flat.npy'); assert a.shape == (6, 4) and (a.ravel() == b).all()"
// RUN: %python -c "import numpy as np; a, b = np.load('%t.split.npy'), np.load('%t.merged.npy'); assert a.shape == (5, 3, 2) and (a.ravel() == b).all()"
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser=strict | FileCheck %s --check-prefix=IR
// Reshapes of which no dimensions are known to merge or split read each element at its position.

// CHECK: check {{ *}}output 0: ok
// RUN: fuser-run %s --program=swapped --size x=4x6 --device=host | FileCheck %s --check-prefix=SWAPPED
// SWAPPED: outputs {{ *}}0: 6x4xf32

// IR-LABEL: fuser.fusion @swapped(
// IR: fuser.take_along_axis {{.*}} -> tensor<?x?xf32>
func.func @swapped(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = tensor.from_elements %b, %a : tensor<2xindex>
  %v = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %0 = math.exp %v : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// IR-LABEL: fuser.fusion @split(
// IR: fuser.take_along_axis {{.*}} -> tensor<?x3x?xf32>
func.func @split(%x: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %third = arith.divsi %a, %c3 : index
  %s = tensor.from_elements %b, %c3, %third : tensor<3xindex>
  %v = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %0 = math.exp %v : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// Sizes that are known to be equal, in any spelling of their ops.
// IR-LABEL: fuser.fusion @same(
// IR-NOT: fuser.take_along_axis
func.func @same(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a64 = arith.index_cast %a : index to i64
  %b64 = arith.index_cast %b : index to i64
  %s = tensor.from_elements %a64, %b64 : tensor<2xi64>
  %v = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %0 = math.exp %v : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// One dimension of a result merges all.
// IR-LABEL: fuser.fusion @flat(
// IR-NOT: fuser.take_along_axis
func.func @flat(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = arith.muli %a, %b : index
  %s = tensor.from_elements %n : tensor<1xindex>
  %v = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %0 = math.exp %v : tensor<?xf32>
  return %0 : tensor<?xf32>
}
