// RUN: fuser-run %s --device=host --check --size x=3x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size x=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size x=2x0 | FileCheck %s
// A broadcast, and the index of an iterator.

// CHECK: check {{ *}}output 0: ok
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#index = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @shapes(%x: tensor<?x?xf32>) -> tensor<?x4x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x4x?xf32>
  %0 = linalg.generic {indexing_maps = [#index, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x4x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    %s = arith.mulf %in, %k : f32
    linalg.yield %s : f32
  } -> tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}
