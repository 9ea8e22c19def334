// RUN: fuser-opt %s --fuser-mark-aliases > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-mark-aliases | diff %t.after.mlir -
// RUN: fuser-opt %t.after.mlir --fuser-outline-kernels | FileCheck %s --check-prefix=OUTLINED
// RUN: fuser-run %s --program=permuted --device=reference --sizes=2x3x4x5 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=permuted --device=reference --sizes=2x3x4x5 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=permuted --device=host --sizes=2x3x4x5 --check
// RUN: fuser-run %t.after.mlir --program=forwarded --device=host --sizes=6x5 --check
// Outputs that are views of arguments: the argument itself, or a hint where the layout is a choice.

// What does nothing needs no kernel.
// CHECK-LABEL: fuser.fusion @forwarded
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK-NEXT: fuser.return %[[X]], %[[X]]
// OUTLINED-NOT: fuser.kernel @forwarded
// OUTLINED-LABEL: fuser.host @forwarded
// OUTLINED-COUNT-2: fuser.copy
fuser.fusion @forwarded(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %3 = fuser.squeeze %2 dims [0] : tensor<1x?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.permute %3 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0, %4 : tensor<?x?xf32>, tensor<?x?xf32>
}

// S0.10: a permuted view lies as its argument does: channels first of channels last. That is a hint, and no requirement.
// CHECK-LABEL: fuser.fusion @permuted
// CHECK-NOT: output_orders
// CHECK: fuser.permute %{{.*}} [0, 3, 1, 2] {fuser.layout_hints = [#fuser.layout_hint<order = [0, 2, 3, 1], rule = "view", reference = "argument 0">]}
fuser.fusion @permuted(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = fuser.permute %x [0, 3, 1, 2] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

// S0.10: the order of the argument is the fact about it; dimensions of size 1 that it lacks are slowest.
// CHECK-LABEL: fuser.fusion @fact
// CHECK-NOT: output_orders
// CHECK: fuser.broadcast %{{.*}} dims [1] {fuser.layout_hints = [#fuser.layout_hint<order = [1, 2, 0], rule = "view", reference = "argument 0">]}
fuser.fusion @fact(%x: tensor<?x?xf32>) -> tensor<?x1x?xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.broadcast %x dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  fuser.return %0 : tensor<?x1x?xf32>
}

// Does nothing where the layout is no choice: a requirement (S0.2), an alias, a hint; nor where something is computed.
// CHECK-LABEL: fuser.fusion @no_choice
// CHECK: fuser.permute %{{.*}} [1, 0] : tensor<?x?xf32>
// CHECK: fuser.permute %{{.*}} [1, 0] : tensor<?x?xf32>
// CHECK: rule = "mine"
// CHECK: fuser.neg
// CHECK: fuser.permute %{{.*}} [1, 0] : tensor<?x?xf32>
// CHECK-NOT: rule = "view"
fuser.fusion @no_choice(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1>, unit, unit, unit], aliases = [#fuser.alias<output 1, input 1>]} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.permute %x [1, 0] {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "mine">]}
      : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.neg %x : tensor<?x?xf32>
  %4 = fuser.permute %3 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0, %1, %2, %4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
