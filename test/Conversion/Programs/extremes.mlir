// RUN: fuser-run %s --program=torch_argmax --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=torch_argmax_dynamic --size x=7x33 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=torch_argmax_dynamic --size x=7x0 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=jax_argmin --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=tosa_argmax --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=last_of_equal --range x=-3:3 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=unsigned --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=short_index --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=by_selects --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser=strict | FileCheck %s --check-prefix=IR
// NAN: jax_argmin tosa_argmax by_selects
// Greatest and smallest values and where they are, in the spellings of front ends.

// CHECK: check {{ *}}output 0: ok

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d0)>
#keep = affine_map<(d0, d1) -> (d0, 0)>

// IR-LABEL: fuser.fusion @torch_argmax(
// IR: fuser.max_with_index {{.*}} dims [1]
// IR-NOT: fuser.where
// IR-LABEL: fuser.fusion @torch_argmax_dynamic(
func.func @torch_argmax(%x: tensor<8x33xf32>) -> (tensor<8x1xf32>, tensor<8x1xi64>) {
  %c0_i64 = arith.constant 0 : i64
  %lowest = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<8x1xi64>
  %fi = linalg.fill ins(%c0_i64 : i64) outs(%ei : tensor<8x1xi64>) -> tensor<8x1xi64>
  %ev = tensor.empty() : tensor<8x1xf32>
  %fv = linalg.fill ins(%lowest : f32) outs(%ev : tensor<8x1xf32>) -> tensor<8x1xf32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #keep, #keep], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xf32>) outs(%fv, %fi : tensor<8x1xf32>, tensor<8x1xi64>) {
  ^bb0(%in: f32, %m: f32, %w: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %max = arith.maximumf %in, %m : f32
    %c = arith.cmpf ogt, %in, %m : f32
    %s = arith.select %c, %n, %w : i64
    linalg.yield %max, %s : f32, i64
  } -> (tensor<8x1xf32>, tensor<8x1xi64>)
  return %0#0, %0#1 : tensor<8x1xf32>, tensor<8x1xi64>
}

func.func @torch_argmax_dynamic(%x: tensor<?x?xf32>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %ei = tensor.empty(%n) : tensor<?xi64>
  %fi = linalg.fill ins(%c0_i64 : i64) outs(%ei : tensor<?xi64>) -> tensor<?xi64>
  %ev = tensor.empty(%n) : tensor<?xf32>
  %fv = linalg.fill ins(%lowest : f32) outs(%ev : tensor<?xf32>) -> tensor<?xf32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%fv, %fi : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%in: f32, %m: f32, %w: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %max = arith.maximumf %in, %m : f32
    %c = arith.cmpf ogt, %in, %m : f32
    %s = arith.select %c, %k, %w : i64
    linalg.yield %max, %s : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %0#1 : tensor<?xi64>
}

// jnp.argmin: the index is an operand, and NaN wins.
// IR-LABEL: fuser.fusion @jax_argmin(
// IR: fuser.min_with_index {{.*}} tensor<8x33xi32> ->
// IR-NOT: fuser.cast
// IR-LABEL: fuser.fusion @tosa_argmax(
func.func @jax_argmin(%x: tensor<8x33xbf16>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : i32
  %greatest = arith.constant 0x7F80 : bf16
  %e = tensor.empty() : tensor<8x33xi32>
  %iota = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x33xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    linalg.yield %n : i32
  } -> tensor<8x33xi32>
  %ev = tensor.empty() : tensor<8xbf16>
  %fv = linalg.fill ins(%greatest : bf16) outs(%ev : tensor<8xbf16>) -> tensor<8xbf16>
  %ei = tensor.empty() : tensor<8xi32>
  %fi = linalg.fill ins(%c0 : i32) outs(%ei : tensor<8xi32>) -> tensor<8xi32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x, %iota : tensor<8x33xbf16>, tensor<8x33xi32>) outs(%fv, %fi : tensor<8xbf16>, tensor<8xi32>) {
  ^bb0(%v: bf16, %i: i32, %m: bf16, %w: i32):
    %lt = arith.cmpf olt, %m, %v : bf16
    %nan = arith.cmpf une, %m, %m : bf16
    %pick = arith.ori %lt, %nan : i1
    %eq = arith.cmpf oeq, %m, %v : bf16
    %less = arith.cmpi slt, %w, %i : i32
    %tie = arith.andi %eq, %less : i1
    %pick_index = arith.ori %pick, %tie : i1
    %value = arith.select %pick, %m, %v : bf16
    %index = arith.select %pick_index, %w, %i : i32
    linalg.yield %value, %index : bf16, i32
  } -> (tensor<8xbf16>, tensor<8xi32>)
  return %0#1 : tensor<8xi32>
}

// tosa.argmax: index first, NaN propagates.
func.func @tosa_argmax(%x: tensor<4x33xf32>) -> tensor<33xi32> {
  %c0 = arith.constant 0 : i32
  %lowest = arith.constant -3.40282347E+38 : f32
  %ei = tensor.empty() : tensor<33xi32>
  %fi = linalg.fill ins(%c0 : i32) outs(%ei : tensor<33xi32>) -> tensor<33xi32>
  %ev = tensor.empty() : tensor<33xf32>
  %fv = linalg.fill ins(%lowest : f32) outs(%ev : tensor<33xf32>) -> tensor<33xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x33xf32>) outs(%fi, %fv : tensor<33xi32>, tensor<33xf32>) {
  ^bb0(%in: f32, %w: i32, %m: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %gt = arith.cmpf ugt, %in, %m : f32
    %ord = arith.cmpf ord, %m, %m : f32
    %better = arith.andi %gt, %ord : i1
    %value = arith.select %better, %in, %m : f32
    %index = arith.select %better, %n, %w : i32
    linalg.yield %index, %value : i32, f32
  } -> (tensor<33xi32>, tensor<33xf32>)
  return %0#0 : tensor<33xi32>
}

// IR-LABEL: fuser.fusion @last_of_equal(
// IR-NOT: fuser.cast
// IR: fuser.bitwise_not
// IR: fuser.max_with_index
func.func @last_of_equal(%x: tensor<8x33xi32>) -> tensor<8xi64> {
  %c0 = arith.constant 0 : i64
  %lowest = arith.constant -2147483648 : i32
  %ei = tensor.empty() : tensor<8xi64>
  %fi = linalg.fill ins(%c0 : i64) outs(%ei : tensor<8xi64>) -> tensor<8xi64>
  %ev = tensor.empty() : tensor<8xi32>
  %fv = linalg.fill ins(%lowest : i32) outs(%ev : tensor<8xi32>) -> tensor<8xi32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xi32>) outs(%fv, %fi : tensor<8xi32>, tensor<8xi64>) {
  ^bb0(%in: i32, %m: i32, %w: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %c = arith.cmpi sge, %in, %m : i32
    %v = arith.select %c, %in, %m : i32
    %s = arith.select %c, %n, %w : i64
    linalg.yield %v, %s : i32, i64
  } -> (tensor<8xi32>, tensor<8xi64>)
  return %0#1 : tensor<8xi64>
}

func.func @unsigned(%x: tensor<8x33xi8>) -> (tensor<8xi32>, tensor<8xi8>) {
  %c0 = arith.constant 0 : i32
  %c0_i8 = arith.constant 0 : i8
  %ei = tensor.empty() : tensor<8xi32>
  %fi = linalg.fill ins(%c0 : i32) outs(%ei : tensor<8xi32>) -> tensor<8xi32>
  %ev = tensor.empty() : tensor<8xi8>
  %fv = linalg.fill ins(%c0_i8 : i8) outs(%ev : tensor<8xi8>) -> tensor<8xi8>
  %0:2 = linalg.generic {indexing_maps = [#id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xi8>) outs(%fv, %fi : tensor<8xi8>, tensor<8xi32>) {
  ^bb0(%in: i8, %m: i8, %w: i32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %c = arith.cmpi ugt, %in, %m : i8
    %v = arith.select %c, %in, %m : i8
    %s = arith.select %c, %n, %w : i32
    linalg.yield %v, %s : i8, i32
  } -> (tensor<8xi8>, tensor<8xi32>)
  %max = linalg.generic {indexing_maps = [#id2, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xi8>) outs(%fv : tensor<8xi8>) {
  ^bb0(%in: i8, %m: i8):
    %v = arith.maxui %in, %m : i8
    linalg.yield %v : i8
  } -> tensor<8xi8>
  return %0#1, %max : tensor<8xi32>, tensor<8xi8>
}

// A maximum that is written with a comparison: NaN is skipped.
// IR-LABEL: fuser.fusion @by_selects(
// IR: fuser.isnan
// IR: fuser.max
func.func @by_selects(%x: tensor<8x33xf32>) -> tensor<8xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %ev = tensor.empty() : tensor<8xf32>
  %fv = linalg.fill ins(%lowest : f32) outs(%ev : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [#id2, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xf32>) outs(%fv : tensor<8xf32>) {
  ^bb0(%in: f32, %m: f32):
    %c = arith.cmpf ogt, %in, %m : f32
    %v = arith.select %c, %in, %m : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %max : tensor<8xf32>
}

// The ops have indices of i32 and i64 only.
// IR-LABEL: fuser.fusion @short_index(
// IR: fuser.max_with_index {{.*}} tensor<8x33xi64> ->
// IR: fuser.cast {{.*}} to tensor<8xi16>
func.func @short_index(%x: tensor<8x33xf32>) -> tensor<8xi16> {
  %c0 = arith.constant 0 : i16
  %lowest = arith.constant 0xFF800000 : f32
  %ei = tensor.empty() : tensor<8xi16>
  %fi = linalg.fill ins(%c0 : i16) outs(%ei : tensor<8xi16>) -> tensor<8xi16>
  %ev = tensor.empty() : tensor<8xf32>
  %fv = linalg.fill ins(%lowest : f32) outs(%ev : tensor<8xf32>) -> tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x33xf32>) outs(%fv, %fi : tensor<8xf32>, tensor<8xi16>) {
  ^bb0(%in: f32, %m: f32, %w: i16):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i16
    %max = arith.maximumf %in, %m : f32
    %c = arith.cmpf ogt, %in, %m : f32
    %s = arith.select %c, %k, %w : i16
    linalg.yield %max, %s : f32, i16
  } -> (tensor<8xf32>, tensor<8xi16>)
  return %0#1 : tensor<8xi16>
}
