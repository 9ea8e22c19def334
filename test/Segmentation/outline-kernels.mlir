// RUN: fuser-opt %s --fuser-outline-kernels | FileCheck %s
// RUN: fuser-opt %s --fuser-outline-kernels | fuser-opt --fuser-outline-kernels | FileCheck %s
// Each fusion becomes a kernel and a host function; a second run changes nothing.

// The kernel keeps body, layouts, facts and requirements; the host function sizes and allocates the outputs.
// CHECK-LABEL: fuser.kernel @rows_0(
// CHECK-SAME: %{{.*}}: tensor<?x?xf32>, %{{.*}}: tensor<?xf32>, %{{.*}}: f32, %{{.*}}: i64) -> (tensor<?x?xf32>, tensor<?xf32>)
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit, unit]
// CHECK-SAME: extent_ids = array<i64: -1, -2, -3>
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 4, 16>, #fuser.fact<equal 0[1], 1[0]>]
// CHECK-SAME: input_ids = array<i64: 0, 1, 2, 3>
// CHECK-SAME: output_ids = array<i64: 7, 8>
// CHECK-SAME: output_orders = [array<i64: 1, 0>, unit]
// CHECK: fuser.sum
// CHECK-LABEL: fuser.host @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?xf32>, %[[S:[a-z0-9]+]]: f32, %[[U:[a-z0-9]+]]: i64
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 4, 16>, #fuser.fact<equal 0[1], 1[0]>]
// CHECK: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[Y:.*]] = fuser.alloc(%[[M]], %[[N]]) order [1, 0] : tensor<?x?xf32>
// CHECK-NOT: tensor.dim
// CHECK: %[[SUM:.*]] = fuser.alloc(%[[M]]) : tensor<?xf32>
// CHECK: %[[R:.*]]:2 = fuser.launch @rows_0
// CHECK-SAME: ins(%[[X]], %[[B]], %[[S]], %[[U]] : tensor<?x?xf32>, tensor<?xf32>, f32, i64)
// CHECK-SAME: outs(%[[Y]], %[[SUM]] : tensor<?x?xf32>, tensor<?xf32>)
// CHECK: fuser.return %[[R]]#0, %[[R]]#1
fuser.fusion @rows(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %s: f32, %unused: i64) -> (tensor<?x?xf32>, tensor<?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit, unit], output_orders = [array<i64: 1, 0>, unit],
                facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 4, 16>],
                input_ids = array<i64: 0, 1, 2, 3>, output_ids = array<i64: 7, 8>, extent_ids = array<i64: -1, -2, -3>} {
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.add %1, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %3 = fuser.sum %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
}

// An output without requirement lies as its allocation domain says.
// CHECK-LABEL: fuser.host @allocation_domain
// CHECK: fuser.alloc(%{{.*}}) order [1, 0] : tensor<?x4xf32>
fuser.fusion @allocation_domain(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>]} : tensor<?x4xf32>
  fuser.return %0 : tensor<?x4xf32>
}

// A static size that an argument must have becomes a fact.
// CHECK-LABEL: fuser.host @static_size
// CHECK-SAME: facts = [#fuser.fact<at_least 0[0], 4>, #fuser.fact<at_most 0[0], 4>]
fuser.fusion @static_size(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// An aliased output is stored in its argument.
// CHECK-LABEL: fuser.kernel @in_place_0
// CHECK-SAME: aliases = [#fuser.alias<output 0, input 1>]
// CHECK-LABEL: fuser.host @in_place(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?xf32>, %[[ACC:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-NOT: fuser.alloc
// CHECK: fuser.launch @in_place_0 ins({{.*}}) outs(%[[ACC]] : tensor<?xf32>)
fuser.fusion @in_place(%x: tensor<?xf32>, %acc: tensor<?xf32>) -> tensor<?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.add %x, %acc : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// An output that is an argument is a copy, in the required order; the kernel computes the others. Kernel outputs are
// numbered anew.
// CHECK-LABEL: fuser.kernel @forward_0
// CHECK-SAME: -> tensor<?x?xf32>
// CHECK-SAME: facts = [#fuser.fact<aligned 1, 16>]
// CHECK-SAME: output_ids = array<i64: 5>
// CHECK-NOT: output_orders
// CHECK-LABEL: fuser.kernel @forward_copy_0
// CHECK-SAME: fuser_sched.copy, output_orders = [array<i64: 1, 0>]
// CHECK-LABEL: fuser.host @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK: %[[T:.*]] = fuser.alloc(%{{.*}}, %{{.*}}) order [1, 0]
// CHECK: %[[COPY:.*]] = fuser.launch @forward_copy_0 ins(%[[X]] : tensor<?x?xf32>) outs(%[[T]] : tensor<?x?xf32>)
// CHECK: %[[R:.*]] = fuser.launch @forward_0
// CHECK: fuser.return %[[COPY]], %[[R]]
fuser.fusion @forward(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 1, 0>, unit], output_ids = array<i64: 4, 5>,
                facts = [#fuser.fact<aligned 1, 32>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.add %x, %x : tensor<?x?xf32>
  fuser.return %x, %0 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Nothing to compute: no kernel; an argument aliased to itself is not even copied.
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @identity(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NEXT: fuser.return %[[X]]
fuser.fusion @identity(%x: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  fuser.return %x : tensor<?xf32>
}

// Two arguments that change places: both are saved before either is overwritten.
// CHECK-LABEL: fuser.host @swap(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[OLD_Y:.*]] = fuser.copy %[[Y]] into %{{.*}}
// CHECK: %[[OLD_X:.*]] = fuser.copy %[[X]] into %{{.*}}
// CHECK: %[[NEW_X:.*]] = fuser.copy %[[OLD_Y]] into %[[X]]
// CHECK: %[[NEW_Y:.*]] = fuser.copy %[[OLD_X]] into %[[Y]]
// CHECK: fuser.return %[[NEW_X]], %[[NEW_Y]]
fuser.fusion @swap(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>, #fuser.alias<output 1, input 1>]} {
  fuser.return %y, %x : tensor<4xf32>, tensor<4xf32>
}

// A name that is taken gets a suffix.
// CHECK-LABEL: fuser.kernel @taken_0(
// CHECK-LABEL: fuser.kernel @taken_0_0(
// CHECK-LABEL: fuser.host @taken(
// CHECK: fuser.launch @taken_0_0
fuser.kernel @taken_0(%x: tensor<f32>) -> tensor<f32> {
  %0 = fuser.set %x : tensor<f32>
  fuser.return %0 : tensor<f32>
}
fuser.fusion @taken(%x: tensor<f32>) -> tensor<f32> {
  %0 = fuser.add %x, %x : tensor<f32>
  fuser.return %0 : tensor<f32>
}
