// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser | FileCheck %s
// An index with one dimension that is longer than 1 selects, wherever that dimension is.

// CHECK-LABEL: fuser.fusion @behind_one
// CHECK: %[[INDEX:.*]] = fuser.squeeze %{{.*}} dims [0, 2] : tensor<1x5x1xi64> -> tensor<5xi64>
// CHECK-NEXT: %[[ROWS:.*]] = fuser.index_select %{{.*}}, %[[INDEX]] dim 0 : tensor<?x8xf32>, tensor<5xi64> -> tensor<5x8xf32>
// CHECK-NEXT: fuser.broadcast %[[ROWS]] dims [0] : tensor<5x8xf32> -> tensor<1x5x8xf32>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @behind_one(%table: tensor<?x8xf32>, %index: tensor<1x5xi64>) -> tensor<1x5x8xf32> {
  %empty = tensor.empty() : tensor<1x5x8xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%index : tensor<1x5xi64>) outs(%empty : tensor<1x5x8xf32>) {
  ^bb0(%i: i64, %out: f32):
    %row = arith.index_cast %i : i64 to index
    %column = linalg.index 2 : index
    %value = tensor.extract %table[%row, %column] : tensor<?x8xf32>
    linalg.yield %value : f32
  } -> tensor<1x5x8xf32>
  return %0 : tensor<1x5x8xf32>
}

// CHECK-LABEL: fuser.fusion @before_one
// CHECK: %[[INDEX:.*]] = fuser.squeeze %{{.*}} dims [1, 2] : tensor<5x1x1xi64> -> tensor<5xi64>
// CHECK-NEXT: %[[ROWS:.*]] = fuser.index_select %{{.*}}, %[[INDEX]] dim 0 : tensor<?x8xf32>, tensor<5xi64> -> tensor<5x8xf32>
// CHECK-NEXT: fuser.broadcast %[[ROWS]] dims [1] : tensor<5x8xf32> -> tensor<5x1x8xf32>
func.func @before_one(%table: tensor<?x8xf32>, %index: tensor<5x1xi64>) -> tensor<5x1x8xf32> {
  %empty = tensor.empty() : tensor<5x1x8xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%index : tensor<5x1xi64>) outs(%empty : tensor<5x1x8xf32>) {
  ^bb0(%i: i64, %out: f32):
    %row = arith.index_cast %i : i64 to index
    %column = linalg.index 2 : index
    %value = tensor.extract %table[%row, %column] : tensor<?x8xf32>
    linalg.yield %value : f32
  } -> tensor<5x1x8xf32>
  return %0 : tensor<5x1x8xf32>
}
