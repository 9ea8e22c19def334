// RUN: fuser-opt %s --split-input-file --fuser-convert-linalg-to-fuser --verify-diagnostics
// Every op that stays is named, with the reason; the rest of its function converts or stays, but never half.

#id = affine_map<(d0) -> (d0)>
func.func @effect(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{not converted: expected a body without effects, but got 'cf.assert'}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>)
      outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf one, %in, %zero : f32
    cf.assert %c, "zero"
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_counterpart(%y: tensor<8xi32>, %x: tensor<8xf32>) -> (tensor<8xf16>, tensor<8xf8E4M3FNUZ>) {
  // expected-remark @below {{not converted: expected rounding to_nearest_even, but got toward_zero}}
  %0 = arith.truncf %x toward_zero : tensor<8xf32> to tensor<8xf16>
  // expected-remark @below {{not converted: 'fuser.cast' op expected elements of i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 or complex numbers, but got 'f8E4M3FNUZ'}}
  %1 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E4M3FNUZ>
  return %0, %1 : tensor<8xf16>, tensor<8xf8E4M3FNUZ>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @uninitialised(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{not converted: it reads a tensor without values (tensor.empty)}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>)
      outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The last index where an element is positive: no combiner of a reduction.
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d0)>
func.func @last_positive(%x: tensor<4x8xf32>, %most: tensor<4xf32>, %where: tensor<4xi64>) -> tensor<4xi64> {
  // expected-remark @below {{not converted: expected a body that combines its running value}}
  %0:2 = linalg.generic {indexing_maps = [#id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%most, %where : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %m: f32, %w: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %max = arith.maximumf %in, %m : f32
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %in, %zero : f32
    %s = arith.select %c, %n, %w : i64
    linalg.yield %max, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#1 : tensor<4xi64>
}

// -----

func.func @positions(%x: tensor<8xf32>) -> tensor<10xf32> {
  // expected-remark @below {{not converted: expected amounts that are not negative, but got -1}}
  %0 = tensor.pad %x low[-1] high[3] {
  ^bb0(%i: index):
    %n = arith.index_cast %i : index to i64
    %v = arith.sitofp %n : i64 to f32
    tensor.yield %v : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

func.func @insert_backwards(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{not converted: expected strides of at least 1, but got -1}}
  %0 = tensor.insert_slice %x into %y[5] [4] [-1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A reduction of the bits of integers has no counterpart.
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d0)>
func.func @bits(%x: tensor<4x8xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  // expected-remark @below {{not converted: expected a body that combines its running value with another}}
  %0 = linalg.generic {indexing_maps = [#id2, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %a = arith.ori %in, %out : i32
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @unsigned(%x: tensor<8xf32>) -> tensor<8xi1> {
  // expected-remark @below {{not converted: expected an integer of at least 8 bits, but got i1}}
  %0 = arith.fptoui %x : tensor<8xf32> to tensor<8xi1>
  return %0 : tensor<8xi1>
}

// -----

// A size that depends on data which the fusion would compute is no size of a fusion; one that the host can read is.
// CHECK-LABEL: func.func @data_size(
func.func @data_size(%x: tensor<8xf32>, %y: tensor<4xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %y, %y : tensor<4xi64>
  %1 = tensor.extract %0[%c0] : tensor<4xi64>
  %n = arith.index_cast %1 : i64 to index
  // expected-remark @below {{not converted: expected sizes that do not depend on results of the fusion, but got others}}
  %2 = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// An op of another dialect is named, too.
func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func @foreign(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  // expected-remark @below {{not converted: expected an op of linalg, tensor, arith or math that computes tensors, but got 'func.call'}}
  %1 = func.call @other(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// The types alone would say that the dimensions stay.
func.func @any_sizes(%x: tensor<?x?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  // expected-remark @below {{not converted: expected sizes that tell which dimensions merge and split, but got others}}
  %0 = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = math.exp %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Ops of other dialects are named in functions with something to convert only.
func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func @nothing_to_convert(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @something_to_convert(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{but got 'func.call'}}
  %0 = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = arith.negf %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
