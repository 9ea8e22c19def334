// RUN: fuser-run %s --program=collapse_mid --size x=2x3x4x5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=collapse_all --size x=2x3x4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=collapse_sum --size x=2x3x4x5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=collapse_pair --size x=2x3x4x5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=transpose_collapse --size x=2x3x4x5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=collapse_norm --size x=2x3x4x8 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=expand_heads --size x=2x12x5 --scalar h=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=block_scale_dyn --size x=4x64 --size s=4x8 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=reshape_op --size x=6x4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=reshape_op2 --size x=6x4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=reshape_tensor3 --size x=2x3x8 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=reshape_heads --size x=2x3x24 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-explain %s --program=collapse_mid --size x=2x3x4x5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=collapse_sum --size x=2x3x4x5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=collapse_pair --size x=2x3x4x5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=collapse_norm --size x=2x3x4x8 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=expand_heads --size x=2x12x5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=reshape_heads --size x=2x3x24 | FileCheck %s --check-prefix=ONE
// Reshapes with several dynamic dimensions, of which the types do not tell which correspond.

// ONE: fused {{ *}}1 kernel,
// CHECK-NOT: not converted
// CHECK: check {{ *}}output 0: ok

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @collapse_mid(%x: tensor<?x?x?x5xf32>) -> tensor<?x?x5xf32> {
  %v = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<?x?x?x5xf32> into tensor<?x?x5xf32>
  %0 = math.exp %v : tensor<?x?x5xf32>
  return %0 : tensor<?x?x5xf32>
}
func.func @collapse_all(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %v = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x?x?xf32> into tensor<?xf32>
  %0 = math.exp %v : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @collapse_sum(%x: tensor<?x?x?x5xf32>) -> tensor<?x5xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x?x?x5xf32>
  %v = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<?x?x?x5xf32> into tensor<?x?x5xf32>
  %e = tensor.empty(%d) : tensor<?x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %0 = linalg.reduce { arith.addf } ins(%v : tensor<?x?x5xf32>) outs(%f : tensor<?x5xf32>) dimensions = [1]
  return %0 : tensor<?x5xf32>
}
func.func @collapse_pair(%x: tensor<?x?x?x?xf32>) -> tensor<?x?xf32> {
  %v = tensor.collapse_shape %x [[0, 1], [2, 3]] : tensor<?x?x?x?xf32> into tensor<?x?xf32>
  %0 = math.exp %v : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @transpose_collapse(%x: tensor<?x?x?x5xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x?x5xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x?x5xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x?x?x5xf32>
  %e = tensor.empty(%d0, %d2, %d1) : tensor<?x?x?x5xf32>
  %t = linalg.transpose ins(%x : tensor<?x?x?x5xf32>) outs(%e : tensor<?x?x?x5xf32>) permutation = [0, 2, 1, 3]
  %v = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<?x?x?x5xf32> into tensor<?x?xf32>
  return %v : tensor<?x?xf32>
}
func.func @collapse_norm(%x: tensor<?x?x?x8xf32>) -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %v = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<?x?x?x8xf32> into tensor<?x?x8xf32>
  %a = tensor.dim %v, %c0 : tensor<?x?x8xf32>
  %b = tensor.dim %v, %c1 : tensor<?x?x8xf32>
  %k = tensor.empty(%a, %b) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%k : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = linalg.reduce { arith.addf } ins(%v : tensor<?x?x8xf32>) outs(%f : tensor<?x?xf32>) dimensions = [2]
  %e = tensor.empty(%a, %b) : tensor<?x?x8xf32>
  %0 = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v, %m : tensor<?x?x8xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.subf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}
func.func @expand_heads(%x: tensor<?x?x5xf32>, %h: index) -> tensor<?x?x4x5xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x5xf32>
  %v = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [%a, %h, 4, 5] : tensor<?x?x5xf32> into tensor<?x?x4x5xf32>
  %0 = math.exp %v : tensor<?x?x4x5xf32>
  return %0 : tensor<?x?x4x5xf32>
}
func.func @block_scale_dyn(%x: tensor<?x?xf32>, %s: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %s, %c1 : tensor<?x?xf32>
  %v = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d, %k, 8] : tensor<?x?xf32> into tensor<?x?x8xf32>
  %e = tensor.empty(%d, %k) : tensor<?x?x8xf32>
  %0 = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v, %s : tensor<?x?x8xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?x8xf32>
  %w = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x?x8xf32> into tensor<?x?xf32>
  return %w : tensor<?x?xf32>
}
func.func @reshape_op(%x: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %h = arith.divsi %d, %c2 : index
  %s = tensor.from_elements %h, %c8 : tensor<2xindex>
  %v = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x8xf32>
  %0 = math.exp %v : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @reshape_op2(%x: tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : i64
  %i0 = arith.constant 0 : index
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %d = tensor.dim %x, %i0 : tensor<?x4xf32>
  %d64 = arith.index_cast %d : index to i64
  %h = arith.divsi %d64, %c2 : i64
  %s = tensor.from_elements %h, %c2, %c4 : tensor<3xi64>
  %v = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
  %0 = math.exp %v : tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}
func.func @reshape_tensor3(%x: tensor<?x?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %n = arith.muli %a, %b : index
  %s = tensor.from_elements %n, %c8 : tensor<2xindex>
  %v = tensor.reshape %x(%s) : (tensor<?x?x8xf32>, tensor<2xindex>) -> tensor<?x8xf32>
  %0 = math.exp %v : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @reshape_heads(%x: tensor<?x?x24xf32>) -> tensor<?x?x4x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x24xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x24xf32>
  %s = tensor.from_elements %a, %b, %c4, %c6 : tensor<4xindex>
  %v = tensor.reshape %x(%s) : (tensor<?x?x24xf32>, tensor<4xindex>) -> tensor<?x?x4x6xf32>
  %0 = math.exp %v : tensor<?x?x4x6xf32>
  return %0 : tensor<?x?x4x6xf32>
}
