// RUN: fuser-run %s --program=diag_part --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=reverse2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=sub_diag --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=im2col --size x=3x9 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=blocks --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=dyn_window --size x=9 --size w=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=large_window --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=slice_dyn_stride --scalar s=2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=insert_stride_dyn --scalar s=2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=dyn_slice_t --range i=-2:9 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=dyn_update --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=insert_data --range i=0:5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=slice_data_dyn --size x=9x4 --range i=0:5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=pack_dyn --size x=9x10 --scalar t=4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=pack_dyn_pad --size x=9x10 --scalar t=4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=unpack_dyn --scalar t=4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=expand_two_dyn --size x=6x4 --scalar n=2 --scalar m=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=expand_arg_dims --size x=6x4 --size like=2x3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=expand_both --size x=6x8 --scalar a=2 --scalar b=3 --scalar c=2 --scalar d=4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=expand_then_sum --size x=6x8 --scalar n=2 --scalar m=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=exp_expand --size x=6x8 --scalar n=2 --scalar m=3 --device=host --check 2>&1 | FileCheck %s
// NUMPY: pack_dyn = np.pad(x, ((0, 3), (0, 0)), constant_values=1.5).reshape(3, 4, 5, 2).transpose(0, 2, 1, 3)
// NUMPY: pack_dyn_pad = np.pad(np.exp(x), ((0, 3), (0, 0)), constant_values=1.5).reshape(3, 4, 10).transpose(0, 2, 1)
// NUMPY: unpack_dyn = x.transpose(0, 2, 1).reshape(12, 5)[:10]
// NUMPY: expand_two_dyn = np.exp(x.reshape(2, 3, 4))
// NUMPY: expand_arg_dims = x.reshape(2, 3, 4) * like[:, :, None]
// NUMPY: expand_both = np.exp(x.reshape(2, 3, 2, 4))
// NUMPY: expand_then_sum = x.reshape(2, 3, 8).sum(1)
// NUMPY: exp_expand = np.tanh(np.exp(x)).reshape(2, 3, 8)
// Operands that are read at maps that are no boxes, and slices, insertions, splits and tiles whose place is computed.

// CHECK-NOT: not converted
// CHECK: check {{ *}}output 0: ok

#id1 = affine_map<(d0) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @diag_part(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @reverse2(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %e = tensor.empty() : tensor<4x9xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 3, d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x9xf32>) outs(%e : tensor<4x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}
func.func @sub_diag(%x: tensor<4x4xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0)>, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x4xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @im2col(%x: tensor<?x9xf32>) -> tensor<?x7x3xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x9xf32>
  %e = tensor.empty(%d) : tensor<?x7x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 + d2)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x9xf32>) outs(%e : tensor<?x7x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x7x3xf32>
  return %0 : tensor<?x7x3xf32>
}
func.func @blocks(%x: tensor<3x4xf32>, %s: tensor<2xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 floordiv 2, d1 mod 4)>, affine_map<(d0, d1) -> (d1 ceildiv 8)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<3x4xf32>, tensor<2xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
func.func @dyn_window(%x: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<7xf32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%f : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.maximumf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @large_window(%x: tensor<399xf32>) -> tensor<200xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<200xf32>
  %w = tensor.empty() : tensor<200xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<200xf32>) -> tensor<200xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<399xf32>, tensor<200xf32>) outs(%f : tensor<200xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<200xf32>
  return %0 : tensor<200xf32>
}
func.func @slice_dyn_stride(%x: tensor<9x8xf32>, %s: index) -> tensor<4x8xf32> {
  %0 = tensor.extract_slice %x[1, 0] [4, 8] [%s, 1] : tensor<9x8xf32> to tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @insert_stride_dyn(%x: tensor<4xf32>, %y: tensor<8xf32>, %s: index) -> tensor<8xf32> {
  %0 = tensor.insert_slice %x into %y[0] [4] [%s] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @dyn_slice_t(%x: tensor<9x6xf32>, %i: tensor<i32>) -> tensor<4x6xf32> {
  %v = tensor.extract %i[] : tensor<i32>
  %bi = arith.index_cast %v : i32 to index
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %a = arith.maxsi %bi, %c0 : index
  %b = arith.minsi %a, %c5 : index
  %0 = tensor.extract_slice %x[%b, 0] [4, 6] [1, 1] : tensor<9x6xf32> to tensor<4x6xf32>
  %1 = math.exp %0 : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
func.func @dyn_update(%x: tensor<9x6xf32>, %u: tensor<4x3xf32>, %i: tensor<i32>) -> tensor<9x6xf32> {
  %v = tensor.extract %i[] : tensor<i32>
  %bi = arith.index_cast %v : i32 to index
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %a = arith.maxsi %bi, %c0 : index
  %b = arith.minsi %a, %c5 : index
  %e = math.exp %u : tensor<4x3xf32>
  %0 = tensor.insert_slice %e into %x[%b, 1] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<9x6xf32>
  return %0 : tensor<9x6xf32>
}
func.func @insert_data(%x: tensor<9x4xf32>, %u: tensor<4xf32>, %i: tensor<1xi64>) -> tensor<9x4xf32> {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %i[%c0] : tensor<1xi64>
  %o = arith.index_cast %v : i64 to index
  %0 = tensor.insert_slice %u into %x[%o, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<9x4xf32>
  %1 = math.exp %0 : tensor<9x4xf32>
  return %1 : tensor<9x4xf32>
}
func.func @slice_data_dyn(%x: tensor<?x4xf32>, %i: tensor<i32>) -> tensor<4x2xf32> {
  %v = tensor.extract %i[] : tensor<i32>
  %o = arith.index_cast %v : i32 to index
  %y = math.exp %x : tensor<?x4xf32>
  %0 = tensor.extract_slice %y[%o, 1] [4, 2] [1, 1] : tensor<?x4xf32> to tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
func.func @pack_dyn(%x: tensor<?x?xf32>, %t: index) -> tensor<?x?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 1.5 : f32
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n0 = arith.ceildivsi %d0, %t : index
  %n1 = arith.ceildivsi %d1, %c2 : index
  %e = tensor.empty(%n0, %n1, %t) : tensor<?x?x?x2xf32>
  %0 = linalg.pack %x padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [%t, 2] into %e : tensor<?x?xf32> -> tensor<?x?x?x2xf32>
  return %0 : tensor<?x?x?x2xf32>
}
func.func @pack_dyn_pad(%x: tensor<?x?xf32>, %t: index) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.5 : f32
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n0 = arith.ceildivsi %d0, %t : index
  %e = tensor.empty(%n0, %d1, %t) : tensor<?x?x?xf32>
  %y = math.exp %x : tensor<?x?xf32>
  %0 = linalg.pack %y padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [%t] into %e : tensor<?x?xf32> -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @unpack_dyn(%x: tensor<3x5x4xf32>, %t: index) -> tensor<10x5xf32> {
  %c = tensor.cast %x : tensor<3x5x4xf32> to tensor<3x5x?xf32>
  %e = tensor.empty() : tensor<10x5xf32>
  %0 = linalg.unpack %c inner_dims_pos = [0] inner_tiles = [%t] into %e : tensor<3x5x?xf32> -> tensor<10x5xf32>
  return %0 : tensor<10x5xf32>
}
func.func @expand_two_dyn(%x: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?x?x4xf32> {
  %v = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %0 = math.exp %v : tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}
func.func @expand_arg_dims(%x: tensor<?x4xf32>, %like: tensor<?x?xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %like, %c0 : tensor<?x?xf32>
  %m = tensor.dim %like, %c1 : tensor<?x?xf32>
  %v = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?x4xf32>
  %0 = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v, %like : tensor<?x?x4xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}
func.func @expand_both(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index) -> tensor<?x?x?x?xf32> {
  %v = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [%a, %b, %c, %d] : tensor<?x?xf32> into tensor<?x?x?x?xf32>
  %0 = math.exp %v : tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
func.func @expand_then_sum(%x: tensor<?x8xf32>, %n: index, %m: index) -> tensor<?x8xf32> {
  %z = arith.constant 0.0 : f32
  %v = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.reduce { arith.addf } ins(%v : tensor<?x?x8xf32>) outs(%f : tensor<?x8xf32>) dimensions = [1]
  return %0 : tensor<?x8xf32>
}
func.func @exp_expand(%x: tensor<?x8xf32>, %n: index, %m: index) -> tensor<?x?x8xf32> {
  %y = math.exp %x : tensor<?x8xf32>
  %v = tensor.expand_shape %y [[0, 1], [2]] output_shape [%n, %m, 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
  %0 = math.tanh %v : tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}
