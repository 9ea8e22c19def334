// RUN: fuser-opt %s --fuser-reduce-scatters > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-reduce-scatters | diff %t.after.mlir -
// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-reduce-scatters{max-destinations=4}))' | FileCheck %s --check-prefix=FEW
// Accumulation into few destinations is a reduction, a scatter of one element for each row is a selection.

// CHECK-LABEL: fuser.fusion @histogram
// CHECK-SAME: (%[[S:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<?xi64>, %[[X:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[IB:.*]] = fuser.broadcast %[[I]] dims [0] : tensor<?xi64> -> tensor<1x?xi64>
// CHECK-DAG: %[[SB:.*]] = fuser.broadcast %[[S]] dims [0] : tensor<?xf32> -> tensor<1x?xf32>
// CHECK-DAG: %[[D:.*]] = fuser.iota {{.*}} -> tensor<8xi64>
// CHECK-DAG: %[[DB:.*]] = fuser.broadcast %[[D]] dims [1] : tensor<8xi64> -> tensor<8x1xi64>
// CHECK: %[[HIT:.*]] = fuser.eq %[[IB]], %[[DB]]
// CHECK: %[[OWN:.*]] = fuser.where %[[HIT]], %[[SB]], %{{.*}} -> tensor<8x?xf32>
// CHECK: %[[SUM:.*]] = fuser.sum %[[OWN]] dims [1]
// CHECK: %[[R:.*]] = fuser.add %[[X]], %[[SUM]]
// CHECK: fuser.return %[[R]]
// FEW-LABEL: fuser.fusion @histogram
// FEW: fuser.scatter
fuser.fusion @histogram(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// Half types are combined in f32 and rounded once.
// CHECK-LABEL: fuser.fusion @half
// CHECK: fuser.max %{{.*}} dims [2] : tensor<3x4x5xf32> -> tensor<3x4xf32>
// CHECK: fuser.maximum %{{.*}} : tensor<3x4xf32>
// CHECK: fuser.cast %{{.*}} : tensor<3x4xf32> to tensor<3x4xbf16>
fuser.fusion @half(%s: tensor<3x5xbf16>, %i: tensor<3x5xi32>, %x: tensor<3x4xbf16>) -> tensor<3x4xbf16> {
  %0 = fuser.scatter %s at %i into %x dim 1 reduce max : tensor<3x5xbf16>, tensor<3x5xi32>, tensor<3x4xbf16>
  fuser.return %0 : tensor<3x4xbf16>
}

// CHECK-LABEL: fuser.fusion @integers
// CHECK: arith.constant 127 : i64
// CHECK: fuser.min
fuser.fusion @integers(%s: tensor<?x6xi8>, %i: tensor<?x6xi64>, %x: tensor<4x6xi8>) -> tensor<4x6xi8> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce min : tensor<?x6xi8>, tensor<?x6xi64>, tensor<4x6xi8>
  fuser.return %0 : tensor<4x6xi8>
}

// Does nothing where elements are replaced, where destinations are many or unknown, where the index is smaller than the
// operand elsewhere, and to a scheduled op.
// CHECK-LABEL: fuser.fusion @kept
// CHECK-COUNT-5: fuser.scatter
fuser.fusion @kept(%s: tensor<9x4xf32>, %i: tensor<9x4xi64>, %a: tensor<8x4xf32>, %b: tensor<65x4xf32>, %c: tensor<?x4xf32>, %d: tensor<8x5xf32>)
    -> (tensor<8x4xf32>, tensor<65x4xf32>, tensor<?x4xf32>, tensor<8x5xf32>, tensor<8x4xf32>) {
  %0 = fuser.scatter %s at %i into %a dim 0 : tensor<9x4xf32>, tensor<9x4xi64>, tensor<8x4xf32>
  %1 = fuser.scatter %s at %i into %b dim 0 reduce add : tensor<9x4xf32>, tensor<9x4xi64>, tensor<65x4xf32>
  %2 = fuser.scatter %s at %i into %c dim 0 reduce add : tensor<9x4xf32>, tensor<9x4xi64>, tensor<?x4xf32>
  %3 = fuser.scatter %s at %i into %d dim 0 reduce add : tensor<9x4xf32>, tensor<9x4xi64>, tensor<8x5xf32>
  %4 = fuser.scatter %s at %i into %a dim 0 reduce add {memory = #fuser.memory<global>} : tensor<9x4xf32>, tensor<9x4xi64>, tensor<8x4xf32>
  fuser.return %0, %1, %2, %3, %4 : tensor<8x4xf32>, tensor<65x4xf32>, tensor<?x4xf32>, tensor<8x5xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: fuser.fusion @one_of_each_row
// CHECK-SAME: (%[[S:.*]]: tensor<4x1xf32>, %[[I:.*]]: tensor<4x1xi64>, %[[X:.*]]: tensor<4x100xf32>)
// CHECK: %[[D:.*]] = fuser.iota {{.*}} -> tensor<100xi64>
// CHECK: %[[DB:.*]] = fuser.broadcast %[[D]] dims [0]
// CHECK: %[[HIT:.*]] = fuser.eq %[[I]], %[[DB]]
// CHECK: %[[R:.*]] = fuser.where %[[HIT]], %[[S]], %[[X]]
// CHECK: fuser.return %[[R]]
fuser.fusion @one_of_each_row(%s: tensor<4x1xf32>, %i: tensor<4x1xi64>, %x: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<4x1xf32>, tensor<4x1xi64>, tensor<4x100xf32>
  fuser.return %0 : tensor<4x100xf32>
}

// Half types add in f32 and round once, as the op itself does; more destinations than max-destinations.
// CHECK-LABEL: fuser.fusion @one_added
// CHECK-SAME: (%[[S:.*]]: tensor<1x6xbf16>, %[[I:.*]]: tensor<1x6xi32>, %[[X:.*]]: tensor<?x6xbf16>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[D:.*]] = fuser.iota {{.*}} length(%[[N]])
// CHECK: %[[HIT:.*]] = fuser.eq
// CHECK: %[[SUM:.*]] = fuser.add %[[X]], %[[S]]
// CHECK: fuser.where %[[HIT]], %[[SUM]], %[[X]]
fuser.fusion @one_added(%s: tensor<1x6xbf16>, %i: tensor<1x6xi32>, %x: tensor<?x6xbf16>) -> tensor<?x6xbf16> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<1x6xbf16>, tensor<1x6xi32>, tensor<?x6xbf16>
  fuser.return %0 : tensor<?x6xbf16>
}

// Into a vector.
// CHECK-LABEL: fuser.fusion @one_of_all
// CHECK-NOT: fuser.broadcast
// CHECK: fuser.where
fuser.fusion @one_of_all(%s: tensor<1xf32>, %i: tensor<1xi64>, %x: tensor<9xf32>) -> tensor<9xf32> {
  %0 = fuser.scatter %s at %i into %x dim 0 : tensor<1xf32>, tensor<1xi64>, tensor<9xf32>
  fuser.return %0 : tensor<9xf32>
}

// Rows of the operand beyond those of the index keep their elements.
// CHECK-LABEL: fuser.fusion @fewer_rows
// CHECK: fuser.scatter
// CHECK-LABEL: fuser.fusion @unknown_rows
// CHECK: fuser.scatter
fuser.fusion @fewer_rows(%s: tensor<3x1xf32>, %i: tensor<3x1xi64>, %x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<3x1xf32>, tensor<3x1xi64>, tensor<4x9xf32>
  fuser.return %0 : tensor<4x9xf32>
}
fuser.fusion @unknown_rows(%s: tensor<?x1xf32>, %i: tensor<?x1xi64>, %x: tensor<?x9xf32>) -> tensor<?x9xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<?x1xf32>, tensor<?x1xi64>, tensor<?x9xf32>
  fuser.return %0 : tensor<?x9xf32>
}

// Rows that two reshapes merge of sizes that are not known are as many as the operand's, as another op requires.
// CHECK-LABEL: fuser.fusion @merged_rows
// CHECK-NOT: fuser.scatter
// CHECK: fuser.return
fuser.fusion @merged_rows(%x: tensor<?x?x9xf32>, %i: tensor<?x?xi64>, %y: tensor<?x1xf32>, %z: tensor<?x9xf32>) -> tensor<?x9xf32> {
  %0 = fuser.reshape %x : tensor<?x?x9xf32> -> tensor<?x9xf32>
  %1 = fuser.sub %0, %z : tensor<?x9xf32>
  %2 = fuser.reshape %i : tensor<?x?xi64> -> tensor<?xi64>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %4 = fuser.scatter %y at %3 into %z dim 1 : tensor<?x1xf32>, tensor<?x1xi64>, tensor<?x9xf32>
  %f = fuser.cast %3 : tensor<?x1xi64> to tensor<?x1xf32>
  %5 = fuser.mul %4, %f : (tensor<?x9xf32>, tensor<?x1xf32>) -> tensor<?x9xf32>
  %6 = fuser.add %5, %1 : tensor<?x9xf32>
  fuser.return %6 : tensor<?x9xf32>
}

// Few elements of a row that replace others are selections, of which the last wins; a weight of each of two experts.
// CHECK-LABEL: fuser.fusion @two_of_a_row
// CHECK-SAME: (%[[X:.*]]: tensor<5x16xf32>, %[[I:.*]]: tensor<5x2xi64>, %[[S:.*]]: tensor<5x2xf32>)
// CHECK-DAG: %[[S0:.*]] = fuser.slice %[[S]] [0, 0]
// CHECK-DAG: %[[I0:.*]] = fuser.slice %[[I]] [0, 0]
// CHECK-DAG: %[[H0:.*]] = fuser.eq %[[I0]], %[[D:.*]] :
// CHECK-DAG: %[[R0:.*]] = fuser.where %[[H0]], %[[S0]], %[[X]]
// CHECK-DAG: %[[S1:.*]] = fuser.slice %[[S]] [0, 1]
// CHECK-DAG: %[[I1:.*]] = fuser.slice %[[I]] [0, 1]
// CHECK-DAG: %[[H1:.*]] = fuser.eq %[[I1]], %[[D]] :
// CHECK: %[[R1:.*]] = fuser.where %[[H1]], %[[S1]], %[[R0]]
// CHECK-NOT: fuser.scatter
// CHECK: fuser.return %[[R1]]
fuser.fusion @two_of_a_row(%x: tensor<5x16xf32>, %i: tensor<5x2xi64>, %s: tensor<5x2xf32>) -> tensor<5x16xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<5x2xf32>, tensor<5x2xi64>, tensor<5x16xf32>
  fuser.return %0 : tensor<5x16xf32>
}

// The source may have more elements than the index, as many as are known at run time only.
// CHECK-LABEL: fuser.fusion @few_of_an_unknown_number
// CHECK: fuser.slice %{{.*}} [0, 2] [8, 1] : tensor<8x?xf32> -> tensor<8x1xf32>
// CHECK-NOT: fuser.scatter
fuser.fusion @few_of_an_unknown_number(%s: tensor<8x?xf32>, %i: tensor<8x3xi64>, %x: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<8x?xf32>, tensor<8x3xi64>, tensor<8x100xf32>
  fuser.return %0 : tensor<8x100xf32>
}
