// RUN: fuser-run %s --program=flatten --size x=3x5x16 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=expand_two --size x=24x10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=collapse_two --size x=3x8x5x2 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=flatten_dynamic --size x=3x5x7 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=unflatten --size x=15x7 --size like=3x5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=casts --size x=4x5 --device=host --check | FileCheck %s
// RUN: not fuser-run %s --program=casts --size x=3x5 --device=host --check 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: fuser-run %s --program=asserts --size x=4x6 --size y=4x6 --device=host --check | FileCheck %s
// RUN: not fuser-run %s --program=asserts --size x=4x7 --size y=4x7 --device=host --check 2>&1 | FileCheck %s --check-prefix=DIVISIBLE
// RUN: not fuser-run %s --program=asserts --size x=5x6 --size y=4x6 --device=host --check 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: fuser-run %s --program=data_assert --device=host --check 2>&1 | FileCheck %s --check-prefixes=DROPPED,CHECK
// RUN: fuser-run %s --program=sizes_of_results --size x=5x8 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=returns_argument --size x=4 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=calls --size x=4x8 --device=host --check | FileCheck %s
// RUN: not fuser-run %s --device=host 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not fuser-run %s --program=flat --device=host 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser=drop-asserts 2>/dev/null | FileCheck %s --check-prefix=IR
// Dynamic sizes: reshapes whose groups are known, casts, assertions, sizes of results.

// DROPPED: remark: the assertion is dropped
// CHECK: check {{ *}}output 0: ok

// SEVERAL: error: expected --program= with the name of one of @flatten, @expand_two, {{.*}}, but got none
// UNKNOWN: error: expected the name of one of @flatten, @expand_two, {{.*}}, but got flat

func.func @flatten(%x: tensor<?x?x16xf32>) -> tensor<?x16xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x16xf32> into tensor<?x16xf32>
  %1 = math.exp %0 : tensor<?x16xf32>
  return %1 : tensor<?x16xf32>
}

// Which dimension the static sizes are of is known from the groups alone.
// IR-LABEL: fuser.fusion @expand_two(
// IR-COUNT-2: fuser.reshape
func.func @expand_two(%x: tensor<?x?xf32>) -> tensor<?x8x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = arith.divui %m, %c8 : index
  %b = arith.divui %n, %c2 : index
  %0 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [%a, 8, %b, 2] : tensor<?x?xf32> into tensor<?x8x?x2xf32>
  %1 = math.exp %0 : tensor<?x8x?x2xf32>
  return %1 : tensor<?x8x?x2xf32>
}

func.func @collapse_two(%x: tensor<?x8x?x2xf32>) -> tensor<?x?xf32> {
  %0 = math.exp %x : tensor<?x8x?x2xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<?x8x?x2xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// The sizes of the type do not tell which dimensions are merged: a gather at the row-major position.
func.func @flatten_dynamic(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %0 = math.exp %x : tensor<?x?x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @unflatten(%x: tensor<?x?xf32>, %like: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %like, %c0 : tensor<?x?xf32>
  %b = tensor.dim %like, %c1 : tensor<?x?xf32>
  %c = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, %c] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %1 = math.exp %0 : tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CAST: fuser-run: expected 4 <= x.size[0] (fact of the fusion), but got 4 and 3
func.func @casts(%x: tensor<?x5xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %x : tensor<?x5xf32> to tensor<4x5xf32>
  %1 = math.exp %0 : tensor<4x5xf32>
  %2 = tensor.cast %1 : tensor<4x5xf32> to tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// IR-LABEL: fuser.fusion @asserts(
// IR-SAME: facts = [#fuser.fact<equal 0[0], 1[0]>, #fuser.fact<divisible 0[1], 2>, #fuser.fact<at_least 0[1], 1>
// DIVISIBLE: fuser-run: expected x.size[1] mod 2 == 0
// EQUAL: fuser-run: expected x.size[0] == y.size[0]
func.func @asserts(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0_i64 = arith.constant 0 : i64
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %my = tensor.dim %y, %c0 : tensor<?x?xf32>
  %same = arith.cmpi eq, %m, %my : index
  cf.assert %same, "mismatched size for broadcast"
  %rest = arith.remui %n, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  cf.assert %even, "expected an even size"
  %n64 = arith.index_cast %n : index to i64
  %some = arith.cmpi sgt, %n64, %c0_i64 : i64
  cf.assert %some, "expected elements"
  %0 = arith.addf %x, %y : tensor<?x?xf32>
  %k = tensor.dim %0, %c1 : tensor<?x?xf32>
  %still = arith.cmpi eq, %k, %n : index
  cf.assert %still, "no size changed"
  %1 = math.exp %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @data_assert(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.extract %x[%c0] : tensor<4xf32>
  %c = arith.cmpf une, %e, %zero : f32
  cf.assert %c, "expected a first element other than 0"
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// No intermediate result is an output for its size.
// IR-LABEL: fuser.fusion @sizes_of_results(
// IR-SAME: -> tensor<?x4xf32>
func.func @sizes_of_results(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = math.exp %x : tensor<?x8xf32>
  %n = tensor.dim %0, %c0 : tensor<?x8xf32>
  %m = arith.addi %n, %c1 : index
  %1 = tensor.extract_slice %0[0, 2] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = tensor.insert_slice %1 into %f[1, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

func.func @returns_argument(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = math.exp %x : tensor<?xf32>
  return %0, %x : tensor<?xf32>, tensor<?xf32>
}

// JAX outlines parts of a program.
func.func private @relu(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %b = linalg.broadcast ins(%zero : tensor<f32>) outs(%e : tensor<?x8xf32>) dimensions = [0, 1]
  %0 = linalg.max ins(%x, %b : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @calls(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = math.exp %x : tensor<?x8xf32>
  %1 = func.call @relu(%0) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = func.call @relu(%1) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}
