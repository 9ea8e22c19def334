// RUN: fuser-opt %s --fuser-push-updates > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-push-updates | diff %t.after.mlir -
// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions 2>/dev/null | FileCheck %s --check-prefix=HOST
// Updates of parts of an overwritten argument are pushes where something else reads the argument or the result.

// CHECK-LABEL: fuser.fusion @read_after
// CHECK-SAME: (%[[K:.*]]: tensor<64x4xf32>, %[[X:.*]]: tensor<64x4096xf32>)
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[I:.*]] = fuser.iota %[[FIVE]], %[[ONE]] : i64, i64 -> tensor<4xi64>
// CHECK: %[[B:.*]] = fuser.broadcast %[[I]] dims [0]
// CHECK: %[[E:.*]] = fuser.expand %[[B]] : tensor<1x4xi64> -> tensor<64x4xi64>
// CHECK: %[[P:.*]] = fuser.push %[[K]] at %[[E]] into %[[X]] dim 1
// CHECK: %[[S:.*]] = fuser.sum %[[P]]
// CHECK: fuser.return %[[P]], %[[S]]
// HOST-LABEL: fuser.host @read_after(
// HOST-SAME: %[[X:[a-z0-9]*]]: tensor<64x4096xf32>) ->
// HOST: %[[R:[0-9]*]] = fuser.launch @read_after_0 ins({{.*}}) outs(%[[X]] :
// HOST: %[[S:[0-9]*]] = fuser.launch @read_after_1 ins(%[[R]] :
// HOST-NOT: fuser.launch
// HOST: fuser.return %[[R]], %[[S]]
fuser.fusion @read_after(%k: tensor<64x4xf32>, %x: tensor<64x4096xf32>) -> (tensor<64x4096xf32>, tensor<64xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.insert_slice %k into %x [0, 5] : tensor<64x4xf32> into tensor<64x4096xf32>
  %1 = fuser.sum %0 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  fuser.return %0, %1 : tensor<64x4096xf32>, tensor<64xf32>
}

// What depends on the argument is computed before. Where a box begins at 0, the first dimension is as good as any, and
// keeps rows whole. A copy of the result is the result.
// CHECK-LABEL: fuser.fusion @read_before
// CHECK-SAME: (%[[X:.*]]: tensor<512x4096xf32>)
// CHECK: %[[V:.*]] = fuser.mul
// CHECK: %[[I:.*]] = fuser.iota {{.*}} -> tensor<512xi64>
// CHECK: %[[E:.*]] = fuser.expand {{.*}} -> tensor<512x2048xi64>
// CHECK: %[[S:.*]] = fuser.segment_set %[[V]]
// CHECK: %[[P:.*]] = fuser.push %[[S]] at %[[E]] into %[[X]] dim 0
// CHECK-NEXT: fuser.return %[[P]]
// HOST-LABEL: fuser.host @read_before(
// HOST-SAME: %[[X:[a-z0-9]*]]: tensor<512x4096xf32>) ->
// HOST: %[[V:[0-9]*]] = fuser.launch @read_before_0 ins(%[[X]] :
// HOST: fuser.launch @read_before_1 ins(%[[V]], %[[X]] : {{.*}}) outs(%[[X]] :
fuser.fusion @read_before(%x: tensor<512x4096xf32>) -> tensor<512x4096xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %two = arith.constant 2.0 : f64
  %0 = fuser.slice %x [0, 0] [512, 2048] : tensor<512x4096xf32> -> tensor<512x2048xf32>
  %1 = fuser.mul %0, %two : (tensor<512x2048xf32>, f64) -> tensor<512x2048xf32>
  %2 = fuser.insert_slice %1 into %x [0, 0] : tensor<512x2048xf32> into tensor<512x4096xf32>
  %3 = fuser.set %2 : tensor<512x4096xf32>
  fuser.return %3 : tensor<512x4096xf32>
}

// A scatter that replaces elements, and pushes of few, in an argument. The conditions of a box remain.
// CHECK-LABEL: fuser.fusion @scatter
// CHECK: fuser.expect at_most %{{.*}}, %{{.*}} "box of 'fuser.insert_slice'"
// CHECK: %[[P:.*]] = fuser.push %{{.*}} into %{{.*}} dim 1
// CHECK: %[[Q:.*]] = fuser.push %{{.*}} into %[[P]] dim 1
// CHECK-NEXT: fuser.return %[[Q]]
// HOST-LABEL: fuser.kernel @scatter_0
// HOST: fuser.push
// HOST-LABEL: fuser.kernel @scatter_1
// HOST: fuser.push
// HOST-LABEL: fuser.host @scatter(
fuser.fusion @scatter(%k: tensor<64x4xf32>, %i: tensor<64x4xi64>, %at: i64, %x: tensor<64x4096xf32>) -> tensor<64x4096xf32>
    attributes {aliases = [#fuser.alias<output 0, input 3>]} {
  %offset = arith.index_cast %at : i64 to index
  %0 = fuser.insert_slice %k into %x [0, %offset] : tensor<64x4xf32> into tensor<64x4096xf32>
  %1 = fuser.scatter %k at %i into %0 dim 1 : tensor<64x4xf32>, tensor<64x4xi64>, tensor<64x4096xf32>
  fuser.return %1 : tensor<64x4096xf32>
}

// Insertions that nothing else reads are boxes of segmentation's.
// CHECK-LABEL: fuser.fusion @box
// CHECK: fuser.insert_slice
// HOST-LABEL: fuser.host @box(
fuser.fusion @box(%k: tensor<64x4xf32>, %x: tensor<64x4096xf32>) -> tensor<64x4096xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.exp %k : tensor<64x4xf32>
  %1 = fuser.insert_slice %0 into %x [0, 5] : tensor<64x4xf32> into tensor<64x4096xf32>
  fuser.return %1 : tensor<64x4096xf32>
}

// Not what is stored elsewhere, has an intermediate reader, is combined in order, lies at offsets in two dimensions, is a
// long run of the last one, or is small.
// CHECK-LABEL: fuser.fusion @others
// CHECK-NOT: fuser.push
// CHECK: fuser.return
fuser.fusion @others(%k: tensor<64x4xf32>, %i: tensor<64x4xi64>, %l: tensor<64x2048xf32>, %a: tensor<64x4096xf32>, %b: tensor<64x4096xf32>,
                     %c: tensor<64x4096xf32>, %d: tensor<128x4096xf32>, %e: tensor<64x4096xf32>, %f: tensor<64x8xf32>)
    -> (tensor<64x4096xf32>, tensor<64x4096xf32>, tensor<64xf32>, tensor<64x4096xf32>, tensor<128x4096xf32>, tensor<128xf32>,
        tensor<64x4096xf32>, tensor<64xf32>, tensor<64x8xf32>, tensor<64xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 4>, #fuser.alias<output 3, input 5>, #fuser.alias<output 4, input 6>,
                           #fuser.alias<output 6, input 7>, #fuser.alias<output 8, input 8>]} {
  %0 = fuser.insert_slice %k into %a [0, 5] : tensor<64x4xf32> into tensor<64x4096xf32>
  %1 = fuser.insert_slice %k into %b [0, 5] : tensor<64x4xf32> into tensor<64x4096xf32>
  %s1 = fuser.sum %1 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  %2 = fuser.insert_slice %k into %1 [0, 9] : tensor<64x4xf32> into tensor<64x4096xf32>
  %3 = fuser.scatter %k at %i into %c dim 1 reduce add : tensor<64x4xf32>, tensor<64x4xi64>, tensor<64x4096xf32>
  %4 = fuser.insert_slice %k into %d [1, 5] : tensor<64x4xf32> into tensor<128x4096xf32>
  %s4 = fuser.sum %4 dims [1] : tensor<128x4096xf32> -> tensor<128xf32>
  %5 = fuser.insert_slice %l into %e [0, 1] : tensor<64x2048xf32> into tensor<64x4096xf32>
  %s5 = fuser.sum %5 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
  %6 = fuser.insert_slice %k into %f [0, 1] : tensor<64x4xf32> into tensor<64x8xf32>
  %s6 = fuser.sum %6 dims [1] : tensor<64x8xf32> -> tensor<64xf32>
  fuser.return %0, %2, %s1, %3, %4, %s4, %5, %s5, %6, %s6 : tensor<64x4096xf32>, tensor<64x4096xf32>, tensor<64xf32>,
      tensor<64x4096xf32>, tensor<128x4096xf32>, tensor<128xf32>, tensor<64x4096xf32>, tensor<64xf32>, tensor<64x8xf32>, tensor<64xf32>
}
