// RUN: fuser-opt %s --fuser-protect-updates > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-protect-updates | diff %t.after.mlir -
// RUN: fuser-opt %t.after.mlir --fuser-outline-kernels | FileCheck %s --check-prefix=OUTLINED
// RUN: fuser-run %t.after.mlir --program=reversed --device=reference --sizes=700x4,4x700 --save-output=%t.reference.npy
// RUN: fuser-run %t.after.mlir --program=rows --device=host --sizes=300x40 --check
// An output that overwrites an argument while others still read it is computed elsewhere and copied.

// A row's maximum is read by every element of the row, which are overwritten at different times.
// CHECK-LABEL: fuser.fusion @rows
// CHECK: %[[S:.*]] = fuser.sub
// CHECK-NEXT: %[[B:.*]] = fuser.segment_set %[[S]] : tensor<?x?xf32>
// CHECK-NEXT: fuser.return %[[B]]
// OUTLINED-LABEL: fuser.kernel @rows_0
// OUTLINED-NOT: aliases
// OUTLINED-LABEL: fuser.host @rows(
// OUTLINED-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// OUTLINED: %[[BUFFER:.*]] = fuser.alloc(
// OUTLINED: %[[R:.*]] = fuser.launch @rows_0 ins(%[[X]] : tensor<?x?xf32>) outs(%[[BUFFER]] : tensor<?x?xf32>)
// OUTLINED-NEXT: %[[COPY:.*]] = fuser.copy %[[R]] into %[[X]]
// OUTLINED-NEXT: fuser.free %[[R]]
// OUTLINED-NEXT: fuser.return %[[COPY]]
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// Another output reads the argument in another order.
// CHECK-LABEL: fuser.fusion @reversed
// CHECK: %[[A:.*]] = fuser.add
// CHECK: %[[B:.*]] = fuser.segment_set %[[A]] : tensor<?x4xf32>
// CHECK-NEXT: fuser.return %[[B]], %{{.*}}
fuser.fusion @reversed(%x: tensor<?x4xf32>, %y: tensor<4x?xf32>) -> (tensor<?x4xf32>, tensor<4x?xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.add %x, %x : tensor<?x4xf32>
  %1 = fuser.permute %x [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  %2 = fuser.mul %1, %y : tensor<4x?xf32>
  fuser.return %0, %2 : tensor<?x4xf32>, tensor<4x?xf32>
}

// Does nothing where each element is read by who overwrites it, whatever is done to other arguments.
// CHECK-LABEL: fuser.fusion @pointwise
// CHECK-NOT: fuser.segment_set
// OUTLINED-LABEL: fuser.kernel @pointwise_0
// OUTLINED-SAME: aliases = [#fuser.alias<output 0, input 0>]
fuser.fusion @pointwise(%acc: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.exp %acc : tensor<?x?xf32>
  %1 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// Does nothing where an argument is stored in another, which is a copy, and where nothing is aliased.
// CHECK-LABEL: fuser.fusion @argument
// CHECK-NOT: fuser.segment_set
fuser.fusion @argument(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %y, %0 : tensor<?xf32>, tensor<f32>
}

// CHECK-LABEL: fuser.fusion @no_alias
// CHECK-NOT: fuser.segment_set
fuser.fusion @no_alias(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
