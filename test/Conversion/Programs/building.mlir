// RUN: fuser-run %s --program=generate --size x=5x6 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=pad_positions --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=pad_by_element --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=elements --scalar s=2.5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=insert_element --scalar s=2.5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=insert_strided --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=insert_strided_into --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=insert_strided_dynamic --size x=7x5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=read_scalars --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=filled_by_element --size x=4x3 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=softmax --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=softmax_outer --size x=9x4x3 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=pack --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=pack_dynamic --size x=9x10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=unpack --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=bitcast --device=host --check | FileCheck %s
// NUMPY: softmax = np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True)
// NUMPY: softmax_outer = np.exp(x - x.max(0, keepdims=True)) / np.exp(x - x.max(0, keepdims=True)).sum(0, keepdims=True)
// NUMPY: pack = np.pad(x, ((0, 3), (0, 0)), constant_values=7).reshape(3, 4, 5, 2).transpose(2, 0, 1, 3)
// NUMPY: pack_dynamic = np.pad(x, ((0, 3), (0, 0)), constant_values=7).reshape(3, 4, 5, 2).transpose(0, 2, 1, 3)
// NUMPY: bitcast = x.view(np.int32)
// NUMPY: unpack = x.transpose(1, 2, 0, 3).reshape(12, 10)[:9]
// Tensors that are made of scalars, bodies and other tensors.

// CHECK: check {{ *}}output 0: ok

func.func @generate(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %j : index
    %n64 = arith.index_cast %k : index to i64
    %f = arith.sitofp %n64 : i64 to f32
    tensor.yield %f : f32
  } : tensor<?x6xf32>
  %0 = arith.addf %g, %x : tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

func.func @pad_positions(%x: tensor<3x8xf32>) -> tensor<5x10xf32> {
  %0 = tensor.pad %x low[1, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i64
    %v = arith.sitofp %n : i64 to f32
    tensor.yield %v : f32
  } : tensor<3x8xf32> to tensor<5x10xf32>
  return %0 : tensor<5x10xf32>
}

func.func @pad_by_element(%x: tensor<3x8xf32>, %v: tensor<f32>) -> tensor<5x8xf32> {
  %s = tensor.extract %v[] : tensor<f32>
  %0 = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %s : f32
  } : tensor<3x8xf32> to tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

func.func @elements(%x: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<f32>) {
  %c1 = arith.constant 1.0 : f32
  %d = arith.addf %s, %c1 : f32
  %a = tensor.from_elements %s, %c1, %d, %c1 : tensor<4xf32>
  %0 = arith.mulf %x, %a : tensor<4xf32>
  %1 = tensor.from_elements %s, %c1, %d, %s : tensor<2x2xf32>
  %2 = tensor.from_elements %d : tensor<f32>
  return %0, %1, %2 : tensor<4xf32>, tensor<2x2xf32>, tensor<f32>
}

func.func @insert_element(%x: tensor<4x3xf32>, %s: f32) -> tensor<4x3xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.insert %s into %x[%c2, %c1] : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// As a transposed convolution spreads its operand.
func.func @insert_strided(%x: tensor<4x3xf32>) -> tensor<10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %0 = tensor.insert_slice %x into %f[1, 2] [4, 3] [2, 2] : tensor<4x3xf32> into tensor<10x8xf32>
  return %0 : tensor<10x8xf32>
}

func.func @insert_strided_into(%x: tensor<4xf32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %0 = tensor.insert_slice %x into %y[0] [4] [2] : tensor<4xf32> into tensor<9xf32>
  return %0 : tensor<9xf32>
}

func.func @insert_strided_dynamic(%x: tensor<?x5xf32>) -> tensor<?x11xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %m = arith.muli %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x11xf32>) -> tensor<?x11xf32>
  %0 = tensor.insert_slice %x into %f[1, 1] [%n, 5] [2, 2] : tensor<?x5xf32> into tensor<?x11xf32>
  return %0 : tensor<?x11xf32>
}

// Scalars that are elements of tensors stay in the fusion.
func.func @read_scalars(%x: tensor<4x3xf32>, %alpha: tensor<f32>, %v: tensor<3xf32>) -> tensor<4x3xf32> {
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %a = tensor.extract %alpha[] : tensor<f32>
  %b = tensor.extract %v[%c1] : tensor<3xf32>
  %c = arith.mulf %a, %two : f32
  %d = arith.addf %b, %c : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %d : f32
    %2 = arith.addf %1, %a : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @filled_by_element(%x: tensor<?x3xf32>, %alpha: tensor<f32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %alpha[] : tensor<f32>
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %f = linalg.fill ins(%a : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %0 = arith.addf %f, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @softmax(%x: tensor<4x33xf32>) -> tensor<4x33xf32> {
  %e = tensor.empty() : tensor<4x33xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}

func.func @softmax_outer(%x: tensor<?x4x?xbf16>) -> tensor<?x4x?xbf16> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?x4x?xbf16>
  %n = tensor.dim %x, %c2 : tensor<?x4x?xbf16>
  %e = tensor.empty(%m, %n) : tensor<?x4x?xbf16>
  %0 = linalg.softmax dimension(0) ins(%x : tensor<?x4x?xbf16>) outs(%e : tensor<?x4x?xbf16>) -> tensor<?x4x?xbf16>
  return %0 : tensor<?x4x?xbf16>
}

func.func @pack(%x: tensor<9x10xf32>) -> tensor<5x3x4x2xf32> {
  %zero = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<5x3x4x2xf32>
  %0 = linalg.pack %x padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %e
      : tensor<9x10xf32> -> tensor<5x3x4x2xf32>
  return %0 : tensor<5x3x4x2xf32>
}

func.func @pack_dynamic(%x: tensor<?x?xf32>) -> tensor<?x?x4x2xf32> {
  %zero = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%m]
  %b = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%n]
  %e = tensor.empty(%a, %b) : tensor<?x?x4x2xf32>
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %e
      : tensor<?x?xf32> -> tensor<?x?x4x2xf32>
  return %0 : tensor<?x?x4x2xf32>
}

func.func @unpack(%x: tensor<5x3x4x2xf32>) -> tensor<9x10xf32> {
  %e = tensor.empty() : tensor<9x10xf32>
  %0 = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %e
      : tensor<5x3x4x2xf32> -> tensor<9x10xf32>
  return %0 : tensor<9x10xf32>
}

func.func @bitcast(%x: tensor<8xf32>) -> tensor<8xi32> {
  %0 = tensor.bitcast %x : tensor<8xf32> to tensor<8xi32>
  return %0 : tensor<8xi32>
}
