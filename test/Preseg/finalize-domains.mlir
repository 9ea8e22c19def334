// RUN: fuser-opt %s --fuser-finalize-domains --fuser-verify-distribution > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-finalize-domains | diff %t.after.mlir -
// Loops in canonical order; allocations in the order of hints, split as loops are over devices, and over streams where
// every user runs over the same.

// S4.1, S4.2, S4.6 (i): another stream reads all of %1, so that its allocation is whole, and so is that of an output.
// CHECK-LABEL: fuser.fusion @case_i
// CHECK: fuser.set {{.*}} {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]}
// CHECK: fuser.set {{.*}} {domains = [#fuser.domain<logical = [i0, i1], loop = [i1 @stream, i0], allocation = [i0, i1]>]}
fuser.fusion @case_i(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @stream], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %2 : tensor<4x8xf32>
}

// S4.2, S4.3, S4.5, S4.6 (ii): every user of %1 runs over its stream, so that it lives in one iteration; the argument and
// the outputs are whole.
// CHECK-LABEL: fuser.fusion @case_ii
// CHECK-SAME: arg_domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4), loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]
// CHECK: fuser.add {{.*}} {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4), loop = [i3 @stream, i4, i1, i2], allocation = [i3, i4, i1, i2]>]}
// CHECK: fuser.sum {{.*}} {domains = [#fuser.domain<logical = [i0, i1, r2], split(i0, outer 2) -> (i3, i4), loop = [i3 @stream, i4, i1, r2], allocation = [i0, i1]>]}
// CHECK: fuser.mul {{.*}} {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4), loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]}
fuser.fusion @case_ii(%0: tensor<6x?x?xf32>) -> (tensor<6x?xf32>, tensor<6x?x?xf32>)
    attributes {arg_domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
                                             loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %1 = fuser.add %0, %one {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i4, i3 @stream, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x?x?xf32>, f32) -> tensor<6x?x?xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, r2], allocation = [i0, i1]>]} : tensor<6x?x?xf32> -> tensor<6x?xf32>
  %3 = fuser.mul %1, %half {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i1, i3 @stream, i4, i2], allocation = [i0, i1, i2]>]} : (tensor<6x?x?xf32>, f32) -> tensor<6x?x?xf32>
  fuser.return %2, %3 : tensor<6x?xf32>, tensor<6x?x?xf32>
}

// S4.6 (iii): one user runs over a stream along another dimension.
// CHECK-LABEL: fuser.fusion @case_iii
// CHECK: fuser.add {{.*}} {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4), loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]}
fuser.fusion @case_iii(%0: tensor<6x4x?xf32>) -> (tensor<6x4xf32>, tensor<6x4x?xf32>) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %1 = fuser.add %0, %one {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x4x?xf32>, f32) -> tensor<6x4x?xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], split(i1, outer 2) -> (i3, i4),
      loop = [i3 @stream, i0, i4, r2], allocation = [i0, i1]>]} : tensor<6x4x?xf32> -> tensor<6x4xf32>
  %3 = fuser.mul %1, %half {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4),
      loop = [i3 @stream, i4, i1, i2], allocation = [i0, i1, i2]>]} : (tensor<6x4x?xf32>, f32) -> tensor<6x4x?xf32>
  fuser.return %2, %3 : tensor<6x4xf32>, tensor<6x4x?xf32>
}

// S4.3 (iv): stream, devices from z to x, then the rest.
// CHECK-LABEL: fuser.fusion @case_iv
// CHECK: fuser.exp {{.*}} split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5), loop = [i4 @stream, i2 @device_x, i3, i5], allocation = [i2, i3, i1]>
// CHECK: fuser.neg {{.*}} loop = [i0 @device_z, i2 @device_y, i1 @device_x, i3], allocation = [i0, i1, i2, i3]>
fuser.fusion @case_iv(%0: tensor<4x6xf32>, %1: tensor<2x2x2x?xf32>) -> (tensor<4x6xf32>, tensor<2x2x2x?xf32>)
    attributes {mesh = #fuser.mesh<device_x = 2, device_y = 2, device_z = 2>} {
  %2 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @device_x, i3, i4 @stream, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %3 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1, i2, i3],
      loop = [i3, i0 @device_z, i1 @device_x, i2 @device_y], allocation = [i0, i1, i2, i3]>]} : tensor<2x2x2x?xf32>
  fuser.return %2, %3 : tensor<4x6xf32>, tensor<2x2x2x?xf32>
}

// S4.3 (v): channels last, with the channels over two devices; once from the allocation, once from a hint. The hint stays.
// CHECK-LABEL: fuser.fusion @case_v
// CHECK: fuser.exp {{.*}} loop = [i4 @device_x, i0, i5, i2, i3], allocation = [i0, i2, i3, i4, i5]>
// CHECK: fuser.neg {{.*}} loop = [i4 @device_x, i0, i5, i2, i3], allocation = [i0, i2, i3, i4, i5]>
// CHECK-SAME: fuser.layout_hints = [#fuser.layout_hint<order = [0, 2, 3, 1]
fuser.fusion @case_v(%0: tensor<2x8x?x?xf32>) -> (tensor<2x8x?x?xf32>, tensor<2x8x?x?xf32>)
    attributes {mesh = #fuser.mesh<device_x = 2>} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1, i2, i3], split(i1, outer 2) -> (i4, i5),
      loop = [i0, i4 @device_x, i5, i2, i3], allocation = [i0, i2, i3, i1]>]} : tensor<2x8x?x?xf32>
  %2 = fuser.neg %0 {domains = [#fuser.domain<logical = [i0, i1, i2, i3], split(i1, outer 2) -> (i4, i5),
      loop = [i0, i4 @device_x, i5, i2, i3], allocation = [i0, i1, i2, i3]>],
      fuser.layout_hints = [#fuser.layout_hint<order = [0, 2, 3, 1], rule = "test">]} : tensor<2x8x?x?xf32>
  fuser.return %1, %2 : tensor<2x8x?x?xf32>, tensor<2x8x?x?xf32>
}

// S4.7: the outer part is contiguous with the inner one, the inner one with what the dimension was contiguous with.
// CHECK-LABEL: fuser.fusion @contiguity
// CHECK-SAME: arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @device_x, i3, i1], allocation = [i2, i3 strided, i1]>]
// CHECK: fuser.exp {{.*}} allocation = [i1 strided, i2, i3]>
fuser.fusion @contiguity(%0: tensor<4x?xf32>) -> tensor<4x?xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>, arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>],
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i3, i1], allocation = [i0, i1]>]} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @device_x, i3, i1], allocation = [i1 strided, i0]>]} : tensor<4x?xf32>
  fuser.return %1 : tensor<4x?xf32>
}

// A hint alone makes an allocation; without one there is no domain, and the order is row-major (S4.4).
// CHECK-LABEL: fuser.fusion @hint
// CHECK: fuser.relu {{.*}}domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i1, i0]>]{{.*}}fuser.layout_hints
// CHECK: fuser.neg %{{.*}} : tensor<?x?xf32>
fuser.fusion @hint(%0: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %1 = fuser.relu %0 {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "test">]} : tensor<?x?xf32>
  %2 = fuser.neg %0 : tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// A value that only a reshape, whose dimensions are others, uses over a stream is whole.
// CHECK-LABEL: fuser.fusion @reshaped
// CHECK: fuser.exp {{.*}} allocation = [i0, i1]>
fuser.fusion @reshaped(%0: tensor<4x6xf32>) -> tensor<24xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %2 = fuser.reshape %1 : tensor<4x6xf32> -> tensor<24xf32>
  fuser.return %2 : tensor<24xf32>
}

// Does nothing to a scheduled op.
// CHECK-LABEL: fuser.fusion @scheduled
// CHECK: loop = [i1, i0 @thread_x], allocation = [i0, i1]>
fuser.fusion @scheduled(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i1, i0 @thread_x], allocation = [i0, i1]>],
      fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "test">]} : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// S4.6: of two streams, the allocation has those whose loops all users share, from the outermost one on. Their order stays.
// CHECK-LABEL: fuser.fusion @nested
// CHECK: fuser.exp {{.*}} loop = [i4 @stream, i2 @stream, i3, i5], allocation = [i2, i3, i4, i5]>
// CHECK: fuser.neg {{.*}} loop = [i4 @stream, i2 @stream, i3, i5], allocation = [i0, i4, i5]>
// CHECK: fuser.sum {{.*}} loop = [i2 @stream, r0, i3], allocation = [i1]>
fuser.fusion @nested(%0: tensor<4x6xf32>) -> tensor<6xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i4 @stream, i2 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i4 @stream, i2 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %3 = fuser.sum %2 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(i1, outer 3) -> (i2, i3),
      loop = [i2 @stream, i3, r0], allocation = [i1]>]} : tensor<4x6xf32> -> tensor<6xf32>
  fuser.return %3 : tensor<6xf32>
}

// A stream over a whole dimension is split by 1, so that the allocation can have it.
// CHECK-LABEL: fuser.fusion @whole_dimension
// CHECK: fuser.exp {{.*}} split(i0, 1) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i2, i3, i1]>
// CHECK: fuser.neg {{.*}} {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]}
fuser.fusion @whole_dimension(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %2 : tensor<4x8xf32>
}

// Users over the same stream, but in another loop, because an op outside of loops is between the two.
// CHECK-LABEL: fuser.fusion @cut
// CHECK: fuser.exp {{.*}} loop = [i2 @stream, i3, i1], allocation = [i0, i1]>
// CHECK: fuser.neg {{.*}} loop = [i2 @stream, i3, i1], allocation = [i0, i1]>
fuser.fusion @cut(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %3 = fuser.max %2 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  %4 = fuser.broadcast %3 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %5 = fuser.sub %1, %4 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  fuser.return %5 : tensor<4x8xf32>
}

// Loops come behind ops without one, and a value that nobody uses is in none.
// CHECK-LABEL: fuser.fusion @behind_whole
// CHECK: fuser.neg %{{[a-z0-9]+}} : tensor<4x8xf32>
// CHECK: fuser.set {{.*}} split(i0, 1) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i2, i3, i1]>]}
// CHECK: fuser.exp {{.*}} allocation = [i0, i1]>]}
// CHECK: fuser.abs {{.*}} allocation = [i0, i1]>]}
fuser.fusion @behind_whole(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %1 = fuser.neg %0 : tensor<4x8xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %3 = fuser.exp %2 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  %4 = fuser.abs %3 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x8xf32>
  fuser.return %3 : tensor<4x8xf32>
}
