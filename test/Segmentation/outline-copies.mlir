// RUN: fuser-opt %s --split-input-file --fuser-outline-kernels | FileCheck %s
// S0.1, S0.3: a copy that changes the layout is a kernel; one between dense buffers of one order is a transfer.

// CHECK-LABEL: fuser.kernel @transposed_copy_0(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-SAME:    attributes {fuser_sched.copy, output_orders = [array<i64: 1, 0>]}
// CHECK-NEXT:    %[[SET:.*]] = fuser.set %x
// CHECK-NEXT:    fuser.return %[[SET]]
// CHECK-LABEL: fuser.host @transposed
// CHECK:         %[[BUFFER:.*]] = fuser.alloc(%{{.*}}, %{{.*}}) order [1, 0]
// CHECK-NOT:     fuser.copy
// CHECK:         %[[RESULT:.*]] = fuser.launch @transposed_copy_0 ins(%x : tensor<?x?xf32>) outs(%[[BUFFER]] : tensor<?x?xf32>)
// CHECK:         fuser.return %[[RESULT]]
fuser.fusion @transposed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  fuser.return %x : tensor<?x?xf32>
}

// -----

// CHECK-NOT:   fuser.kernel
// CHECK-LABEL: fuser.host @same
// CHECK:         fuser.copy %x
fuser.fusion @same(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  fuser.return %x : tensor<?x?xf32>
}

// -----

// Dimensions of one index do not matter.
// CHECK-NOT:   fuser.kernel
// CHECK-LABEL: fuser.host @one
// CHECK:         fuser.copy %x
fuser.fusion @one(%x: tensor<?x1x8xf32>) -> tensor<?x1x8xf32> attributes {output_orders = [array<i64: 1, 0, 2>]} {
  fuser.return %x : tensor<?x1x8xf32>
}

// -----

// A pitched argument has no dense buffer to transfer.
// CHECK-LABEL: fuser.kernel @pitched_copy_0
// CHECK-SAME:    arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]
// CHECK-LABEL: fuser.host @pitched
// CHECK:         fuser.launch @pitched_copy_0
fuser.fusion @pitched(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  fuser.return %x : tensor<?x?xf32>
}

// -----

// An output in the memory of an argument: the kernel gets the argument, too.
// CHECK-LABEL: fuser.kernel @into_copy_0(%x: tensor<4x8xf32>, %{{.*}}: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-SAME:    aliases = [#fuser.alias<output 0, input 1>]
// CHECK-SAME:    arg_layouts = [#fuser.layout<order = [1, 0]>, unit]
// CHECK-LABEL: fuser.host @into
// CHECK:         fuser.launch @into_copy_0 ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
fuser.fusion @into(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>], arg_layouts = [#fuser.layout<order = [1, 0]>, unit]} {
  fuser.return %x : tensor<4x8xf32>
}
