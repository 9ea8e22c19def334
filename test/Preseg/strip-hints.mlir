// RUN: fuser-opt %s --fuser-strip-hints --mlir-print-op-generic | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s --check-prefix=ROUNDTRIP
// Hints go, whatever op has them; other attributes, discardable ones too, stay.

// CHECK-LABEL: sym_name = "hints"
// CHECK-NOT: layout_hint
// CHECK: some.note
// CHECK: domains =
// ROUNDTRIP-LABEL: fuser.fusion @hints
// ROUNDTRIP: fuser.add %{{.*}}, %{{.*}} {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">], some.note}
// ROUNDTRIP: fuser.var_mean {{.*}} {fuser.layout_hints = [unit, #fuser.layout_hint<order = [], rule = "by-hand">]}
fuser.fusion @hints(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>) attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.add %x, %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">], some.note} : tensor<4x8xf32>
  %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i1, i0]>]} : tensor<4x8xf32>
  %var, %mean = fuser.var_mean %x dims [0, 1] correction 0 {fuser.layout_hints = [unit, #fuser.layout_hint<order = [], rule = "by-hand">]} : tensor<4x8xf32> -> tensor<f32>, tensor<f32>
  fuser.return %1, %mean : tensor<4x8xf32>, tensor<f32>
}
