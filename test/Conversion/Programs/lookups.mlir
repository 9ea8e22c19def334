// RUN: fuser-run %s --program=embedding --range ids=0:50 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=embedding_dynamic --size weight=50x16 --size ids=3x7 --range ids=0:50 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=gather --range index=0:40 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=gather_dynamic --size x=9x40 --size index=9x5 --range index=0:40 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=index_two --range i=-6:6 --range j=0:10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=index_two_dynamic --size t=6x10x4 --size i=9 --size j=9 --range i=-6:6 --range j=0:10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=nll_loss --range target=0:10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=cross_entropy --range target=0:10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=index_select --range index=0:12 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=reversed --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=diagonal --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=strided --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=at_scalar --scalar n=3 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=each_column --range index=0:6 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=tensor_gather --range index=0:12 --device=host --check | FileCheck %s
// NUMPY: tensor_gather = x[index]
// Reads at indices that are data, as front ends write them: `tensor.extract` in a body.

// CHECK: check {{ *}}output 0: ok

#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>

// torch.nn.functional.embedding, with the checks that torch-mlir adds.
func.func @embedding(%weight: tensor<50x16xf32>, %ids: tensor<3x7xi64>) -> tensor<3x7x16xf32> {
  %c0_i64 = arith.constant 0 : i64
  %c50_i64 = arith.constant 50 : i64
  %0 = tensor.empty() : tensor<3x7x16xf32>
  %1 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<3x7xi64>) outs(%0 : tensor<3x7x16xf32>) {
  ^bb0(%in: i64, %out: f32):
    %2 = arith.index_cast %in : i64 to index
    %3 = linalg.index 2 : index
    %4 = arith.cmpi slt, %in, %c50_i64 : i64
    cf.assert %4, "index must be smaller than dim size"
    %5 = arith.cmpi sge, %in, %c0_i64 : i64
    cf.assert %5, "index must be larger or equal to 0"
    %extracted = tensor.extract %weight[%2, %3] : tensor<50x16xf32>
    linalg.yield %extracted : f32
  } -> tensor<3x7x16xf32>
  return %1 : tensor<3x7x16xf32>
}

func.func @embedding_dynamic(%weight: tensor<?x16xbf16>, %ids: tensor<?x?xi32>) -> tensor<?x?x16xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %ids, %c0 : tensor<?x?xi32>
  %n = tensor.dim %ids, %c1 : tensor<?x?xi32>
  %0 = tensor.empty(%m, %n) : tensor<?x?x16xbf16>
  %1 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<?x?xi32>) outs(%0 : tensor<?x?x16xbf16>) {
  ^bb0(%in: i32, %out: bf16):
    %2 = arith.index_cast %in : i32 to index
    %3 = linalg.index 2 : index
    %extracted = tensor.extract %weight[%2, %3] : tensor<?x16xbf16>
    linalg.yield %extracted : bf16
  } -> tensor<?x?x16xbf16>
  return %1 : tensor<?x?x16xbf16>
}

// torch.gather along the last dimension.
func.func @gather(%x: tensor<9x40xf32>, %index: tensor<9x5xi64>) -> tensor<9x5xf32> {
  %0 = tensor.empty() : tensor<9x5xf32>
  %1 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%index : tensor<9x5xi64>) outs(%0 : tensor<9x5xf32>) {
  ^bb0(%in: i64, %out: f32):
    %2 = arith.index_cast %in : i64 to index
    %3 = linalg.index 0 : index
    %extracted = tensor.extract %x[%3, %2] : tensor<9x40xf32>
    linalg.yield %extracted : f32
  } -> tensor<9x5xf32>
  return %1 : tensor<9x5xf32>
}

func.func @gather_dynamic(%x: tensor<?x?xf32>, %index: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %index, %c0 : tensor<?x?xi64>
  %n = tensor.dim %index, %c1 : tensor<?x?xi64>
  %0 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%index : tensor<?x?xi64>) outs(%0 : tensor<?x?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %2 = arith.index_cast %in : i64 to index
    %3 = linalg.index 0 : index
    %extracted = tensor.extract %x[%3, %2] : tensor<?x?xf32>
    linalg.yield %extracted : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// t[i, j] with two tensors of indices; negative ones count from the end.
func.func @index_two(%t: tensor<6x10x4xf32>, %i: tensor<9xi64>, %j: tensor<9xi64>) -> tensor<9x4xf32> {
  %c0_i64 = arith.constant 0 : i64
  %c6_i64 = arith.constant 6 : i64
  %0 = tensor.empty() : tensor<9x4xf32>
  %1 = linalg.generic {indexing_maps = [#first, #first, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%i, %j : tensor<9xi64>, tensor<9xi64>) outs(%0 : tensor<9x4xf32>) {
  ^bb0(%a: i64, %b: i64, %out: f32):
    %2 = arith.cmpi slt, %a, %c0_i64 : i64
    %3 = arith.addi %a, %c6_i64 : i64
    %4 = arith.select %2, %3, %a : i64
    %5 = arith.index_cast %4 : i64 to index
    %6 = arith.index_cast %b : i64 to index
    %7 = linalg.index 1 : index
    %extracted = tensor.extract %t[%5, %6, %7] : tensor<6x10x4xf32>
    linalg.yield %extracted : f32
  } -> tensor<9x4xf32>
  return %1 : tensor<9x4xf32>
}

func.func @index_two_dynamic(%t: tensor<?x?x?xf32>, %i: tensor<?xi64>, %j: tensor<?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c0_i64 = arith.constant 0 : i64
  %d0 = tensor.dim %t, %c0 : tensor<?x?x?xf32>
  %d0_i64 = arith.index_cast %d0 : index to i64
  %n = tensor.dim %i, %c0 : tensor<?xi64>
  %d2 = tensor.dim %t, %c2 : tensor<?x?x?xf32>
  %0 = tensor.empty(%n, %d2) : tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#first, #first, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%i, %j : tensor<?xi64>, tensor<?xi64>) outs(%0 : tensor<?x?xf32>) {
  ^bb0(%a: i64, %b: i64, %out: f32):
    %2 = arith.cmpi slt, %a, %c0_i64 : i64
    %3 = arith.addi %a, %d0_i64 : i64
    %4 = arith.select %2, %3, %a : i64
    %5 = arith.index_cast %4 : i64 to index
    %6 = arith.index_cast %b : i64 to index
    %7 = linalg.index 1 : index
    %extracted = tensor.extract %t[%5, %6, %7] : tensor<?x?x?xf32>
    linalg.yield %extracted : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// torch.nn.functional.nll_loss with ignore_index = 3, before the mean.
func.func @nll_loss(%x: tensor<8x10xf32>, %target: tensor<8xi64>) -> tensor<8xf32> {
  %c3_i64 = arith.constant 3 : i64
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%target : tensor<8xi64>) outs(%0 : tensor<8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %2 = arith.index_cast %in : i64 to index
    %3 = linalg.index 0 : index
    %extracted = tensor.extract %x[%3, %2] : tensor<8x10xf32>
    %4 = arith.negf %extracted : f32
    %5 = arith.cmpi ne, %in, %c3_i64 : i64
    %6 = arith.select %5, %4, %zero : f32
    linalg.yield %6 : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// log_softmax, then the pick of the target and the mean.
func.func @cross_entropy(%x: tensor<8x10xf32>, %target: tensor<8xi64>) -> tensor<f32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 8.0 : f32
  %e1 = tensor.empty() : tensor<8x1xf32>
  %f1 = linalg.fill ins(%lowest : f32) outs(%e1 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %max = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x10xf32>) outs(%f1 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8x1xf32>
  %e2 = tensor.empty() : tensor<8x10xf32>
  %sub = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0, 0)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<8x10xf32>, tensor<8x1xf32>) outs(%e2 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    linalg.yield %0 : f32
  } -> tensor<8x10xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %sum = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%sub : tensor<8x10xf32>) outs(%f2 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8x1xf32>
  %log = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0, 0)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%sub, %sum : tensor<8x10xf32>, tensor<8x1xf32>) outs(%e2 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = math.log %s : f32
    %1 = arith.subf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x10xf32>
  %e3 = tensor.empty() : tensor<8xf32>
  %picked = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%target : tensor<8xi64>) outs(%e3 : tensor<8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %2 = arith.index_cast %in : i64 to index
    %3 = linalg.index 0 : index
    %extracted = tensor.extract %log[%3, %2] : tensor<8x10xf32>
    %4 = arith.negf %extracted : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  %e4 = tensor.empty() : tensor<f32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<f32>) -> tensor<f32>
  %total = linalg.generic {indexing_maps = [#id1, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%picked : tensor<8xf32>) outs(%f4 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %mean = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%total : tensor<f32>) outs(%e4 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %count : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %mean : tensor<f32>
}

// torch.index_select along the middle dimension; the index is of no operand of the op.
func.func @index_select(%x: tensor<3x12x5xf32>, %index: tensor<4xi32>) -> tensor<3x4x5xf32> {
  %0 = tensor.empty() : tensor<3x4x5xf32>
  %1 = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%0 : tensor<3x4x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %e = tensor.extract %index[%j] : tensor<4xi32>
    %c = arith.index_cast %e : i32 to index
    %extracted = tensor.extract %x[%i, %c, %k] : tensor<3x12x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<3x4x5xf32>
  return %1 : tensor<3x4x5xf32>
}

// torch.flip: the last row first.
func.func @reversed(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %c6 = arith.constant 6 : index
  %0 = tensor.empty() : tensor<7x5xf32>
  %1 = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<7x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %from = arith.subi %c6, %i : index
    %extracted = tensor.extract %x[%from, %j] : tensor<7x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<7x5xf32>
  return %1 : tensor<7x5xf32>
}

func.func @diagonal(%x: tensor<6x6xf32>) -> tensor<6xf32> {
  %0 = tensor.empty() : tensor<6xf32>
  %1 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%0 : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %extracted = tensor.extract %x[%i, %i] : tensor<6x6xf32>
    linalg.yield %extracted : f32
  } -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// x[1::2, 3:]: offsets and steps are a slice.
func.func @strided(%x: tensor<9x8xf32>) -> tensor<4x5xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.empty() : tensor<4x5xf32>
  %1 = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %twice = arith.muli %i, %c2 : index
    %row = arith.addi %twice, %c1 : index
    %col = arith.addi %j, %c3 : index
    %extracted = tensor.extract %x[%row, %col] : tensor<9x8xf32>
    linalg.yield %extracted : f32
  } -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// Row n of x, for a scalar of the call.
func.func @at_scalar(%x: tensor<9x8xf32>, %n: index) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%0 : tensor<8xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 0 : index
    %extracted = tensor.extract %x[%n, %j] : tensor<9x8xf32>
    linalg.yield %extracted : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The index depends only on loops that the table has.
func.func @each_column(%x: tensor<6x5xf32>, %index: tensor<5xi64>) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%index : tensor<5xi64>) outs(%0 : tensor<5xf32>) {
  ^bb0(%in: i64, %out: f32):
    %j = linalg.index 0 : index
    %i = arith.index_cast %in : i64 to index
    %extracted = tensor.extract %x[%i, %j] : tensor<6x5xf32>
    linalg.yield %extracted : f32
  } -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

func.func @tensor_gather(%x: tensor<12x5xf32>, %index: tensor<4x3xi32>) -> tensor<4x3x5xf32> {
  %i = tensor.expand_shape %index [[0], [1, 2]] output_shape [4, 3, 1] : tensor<4x3xi32> into tensor<4x3x1xi32>
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<12x5xf32>, tensor<4x3x1xi32>) -> tensor<4x3x1x5xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<4x3x1x5xf32> into tensor<4x3x5xf32>
  return %1 : tensor<4x3x5xf32>
}
