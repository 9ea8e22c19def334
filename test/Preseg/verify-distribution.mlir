// RUN: fuser-opt %s --fuser-verify-distribution -verify-diagnostics -split-input-file
// One fault of a distribution per piece; the first pieces are right.

// S4.3 to S4.6: a fact may say that the mesh divides a dimension.
fuser.fusion @right(%0: tensor<?x6xf32>) -> tensor<?x6xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>, facts = [#fuser.fact<divisible 0[0], 4>],
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>]} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i1 @stream, i2 @device_x, i3], allocation = [i2, i3, i1]>]} : tensor<?x6xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i1 @stream, i2 @device_x, i3], allocation = [i2, i3, i1]>]} : tensor<?x6xf32>
  fuser.return %2 : tensor<?x6xf32>
}

// -----

// expected-note @+1 {{the mesh is #fuser.mesh<device_x = 4>}}
fuser.fusion @mesh_does_not_divide(%0: tensor<6xf32>) -> tensor<6xf32> attributes {mesh = #fuser.mesh<device_x = 4>} {
  // expected-error @+1 {{expected 4 devices along @device_x to divide dimension 0 of result 0, but got a size of 6}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 4) -> (i1, i2),
      loop = [i1 @device_x, i2], allocation = [i1, i2]>]} : tensor<6xf32>
  fuser.return %1 : tensor<6xf32>
}

// -----

// expected-note @+2 {{the mesh is #fuser.mesh<device_y = 2>}}
// expected-error @+1 {{expected 2 devices along @device_y to divide dimension 0 of argument 0, but no fact says that they do}}
fuser.fusion @unknown_size(%0: tensor<?xf32>) -> tensor<?xf32>
    attributes {mesh = #fuser.mesh<device_y = 2>,
                arg_domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
                                             loop = [i1 @device_y, i2], allocation = [i1, i2]>]} {
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @no_mesh(%0: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{expected a mesh on 'no_mesh' for a loop on @device_x, but got none}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @device_x, i2], allocation = [i1, i2]>]} : tensor<6xf32>
  fuser.return %1 : tensor<6xf32>
}

// -----

// expected-note @+1 {{the mesh is #fuser.mesh<device_x = 2>}}
fuser.fusion @other_factor(%0: tensor<6xf32>) -> tensor<6xf32> attributes {mesh = #fuser.mesh<device_x = 2>} {
  // expected-error @+1 {{expected dimension 0 of result 0 to be split by 'outer 2' for @device_x, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 3) -> (i1, i2),
      loop = [i1 @device_x, i2], allocation = [i1, i2]>]} : tensor<6xf32>
  fuser.return %1 : tensor<6xf32>
}

// -----

// S4.4
fuser.fusion @not_allocated(%0: tensor<6xf32>) -> tensor<6xf32> attributes {mesh = #fuser.mesh<device_x = 2>} {
  // expected-error @+1 {{expected the part of result 0 on @device_x to be in its allocation, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @device_x, i2], allocation = [i0]>]} : tensor<6xf32>
  fuser.return %1 : tensor<6xf32>
}

// -----

// S4.3
fuser.fusion @loop_order(%0: tensor<6x4xf32>) -> tensor<6x4xf32> attributes {mesh = #fuser.mesh<device_x = 2>} {
  // expected-error @+1 {{expected the loops of result 0 in the order stream, device_z, device_y, device_x, others as in the logical domain, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @device_x, i1 @stream, i3], allocation = [i2, i3, i1]>]} : tensor<6x4xf32>
  fuser.return %1 : tensor<6x4xf32>
}

// -----

fuser.fusion @merged(%0: tensor<6x4xf32>) -> tensor<6x4xf32> attributes {mesh = #fuser.mesh<device_x = 2>} {
  // expected-error @+1 {{expected devices and streams on parts of one dimension, made by splits, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, outer 2) -> (i3, i4),
      loop = [i3 @device_x, i4], allocation = [i0, i1]>]} : tensor<6x4xf32>
  fuser.return %1 : tensor<6x4xf32>
}

// -----

// S4.5
// expected-error @+1 {{expected no stream in the allocation of argument 0, but got}}
fuser.fusion @stream_of_argument(%0: tensor<6xf32>) -> tensor<6xf32>
    attributes {arg_domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
                                             loop = [i1 @stream, i2], allocation = [i1, i2]>]} {
  fuser.return %0 : tensor<6xf32>
}

// -----

// S4.5
fuser.fusion @stream_of_output(%0: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{expected no stream in the allocation of an output, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @stream, i2], allocation = [i1, i2]>]} : tensor<6xf32>
  // expected-note @+1 {{returned here}}
  fuser.return %1 : tensor<6xf32>
}

// -----

// S4.6
fuser.fusion @stream_of_other(%0: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{expected no stream in the allocation of a value that is used over other streams, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @stream, i2], allocation = [i1, i2]>]} : tensor<6xf32>
  // expected-note @+1 {{used here}}
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0], split(i0, outer 3) -> (i1, i2),
      loop = [i1 @stream, i2], allocation = [i0]>]} : tensor<6xf32>
  fuser.return %2 : tensor<6xf32>
}

// -----

// S4.9: there are no collectives. A sum over a distributed dimension whose result each device has whole.
// expected-note @+1 {{operand 0 is #fuser.domain<logical = [i0, i1], split(i1, outer 2) -> (i2, i3), loop = [i2 @device_x, i0, i3]}}
fuser.fusion @sum_over_devices(%0: tensor<4x6xf32>) -> tensor<4xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i1, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i0, i3], allocation = [i0, i2, i3]>]} {
  // expected-error @+2 {{expected result 0 to be distributed over @device_x like dimension 1 of operand 0, because there is no collective between devices, but it combines elements of all devices}}
  // expected-note @+1 {{result 0 is #fuser.domain<logical = [i0, r1]}}
  %1 = fuser.sum %0 dims [1] : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

// A reduction of each device's part is not the result either.
// expected-note @+1 {{operand 0 is}}
fuser.fusion @partial_sum(%0: tensor<4x6xf32>) -> tensor<4xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i1, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i0, i3], allocation = [i0, i2, i3]>]} {
  // expected-error @+2 {{but it combines elements of all devices}}
  // expected-note @+1 {{result 0 is #fuser.domain<logical = [i0, r1], split(r1, outer 2) -> (r2, r3), loop = [r2 @device_x, i0, r3]}}
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(r1, outer 2) -> (r2, r3),
      loop = [r2 @device_x, i0, r3], allocation = [i0]>]} : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

// Operands in different parts: one of them is not that of the result.
// expected-note @+1 {{operand 1 is #fuser.domain<logical = [i0, i1], split(i1, outer 2)}}
fuser.fusion @other_operand(%0: tensor<4x6xf32>, %1: tensor<4x6xf32>) -> tensor<4x6xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>,
                               #fuser.domain<logical = [i0, i1], split(i1, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i0, i3], allocation = [i0, i2, i3]>]} {
  // expected-error @+2 {{expected result 0 to be distributed over @device_x like dimension 1 of operand 1, because there is no collective between devices, but it is distributed along another dimension}}
  // expected-note @+1 {{result 0 is #fuser.domain<logical = [i0, i1], split(i0, outer 2)}}
  %2 = fuser.add %0, %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>]} : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}

// -----

// expected-note @+1 {{operand 0 is}}
fuser.fusion @gathered(%0: tensor<4x6xf32>) -> tensor<4x6xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>]} {
  // expected-error @+2 {{but each device has the whole result}}
  // expected-note @+1 {{result 0 is}}
  %1 = fuser.exp %0 : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// -----

// Elements at other indices are on other devices.
// expected-note @+1 {{operand 0 is}}
fuser.fusion @shifted(%0: tensor<6xf32>) -> tensor<4xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
                                             loop = [i1 @device_x, i2], allocation = [i1, i2]>]} {
  // expected-error @+2 {{but it reads elements of other devices}}
  // expected-note @+1 {{result 0 is}}
  %1 = fuser.slice %0 [1] [4] {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @device_x, i2], allocation = [i1, i2]>]} : tensor<6xf32> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

// A reshape keeps the blocks of devices in the outer factor, if the devices divide it, and in the slowest of merged
// dimensions; broadcasts and reductions over other dimensions keep them as well.
fuser.fusion @kept(%0: tensor<8x6xf32>) -> (tensor<4x2x6xf32>, tensor<48xf32>, tensor<8x1xf32>)
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>]} {
  %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], split(i0, 2) -> (i2, i3), logical = [i2, i3, i1], split(i2, outer 2) -> (i4, i5),
      loop = [i4 @device_x, i5, i3, i1], allocation = [i4, i5, i3, i1]>]} : tensor<8x6xf32> -> tensor<4x2x6xf32>
  %2 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, logical = [i2], split(i2, outer 2) -> (i3, i4),
      loop = [i3 @device_x, i4], allocation = [i3, i4]>]} : tensor<8x6xf32> -> tensor<48xf32>
  %3 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @device_x, i3, r1], allocation = [i2, i3]>]} : tensor<8x6xf32> -> tensor<8xf32>
  %4 = fuser.broadcast %3 dims [1] {domains = [#fuser.domain<logical = [i0, b1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @device_x, i3, b1], allocation = [i2, i3, b1]>]} : tensor<8xf32> -> tensor<8x1xf32>
  fuser.return %1, %2, %4 : tensor<4x2x6xf32>, tensor<48xf32>, tensor<8x1xf32>
}

// -----

// expected-note @+1 {{operand 0 is}}
fuser.fusion @inner_of_merge(%0: tensor<4x6xf32>) -> tensor<24xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i1, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i0, i3], allocation = [i0, i2, i3]>]} {
  // expected-error @+2 {{but it moves a part of the dimension to other devices}}
  // expected-note @+1 {{result 0 is}}
  %1 = fuser.reshape %0 : tensor<4x6xf32> -> tensor<24xf32>
  fuser.return %1 : tensor<24xf32>
}

// -----

// S4.9: a mark in a loop does not end it.
fuser.fusion @mark_in_loop(%0: tensor<6xf32>) -> tensor<6xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @stream, i2], allocation = [i0]>]} : tensor<6xf32>
  // expected-remark @+1 {{this boundary is inside of a loop over streams: it is a buffer of one iteration, and does not end the loop}}
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2),
      loop = [i1 @stream, i2], allocation = [i0]>]} : tensor<6xf32>
  fuser.return %2 : tensor<6xf32>
}

// -----

// S4.8: a buffer of one iteration of an inner loop cannot hold all iterations of the outer one.
fuser.fusion @inner_stream_only(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @+1 {{expected stream i4 in the allocation of result 0 only together with stream i2, whose loop is around its own, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i4, i5]>]} : tensor<4x6xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}

// -----

// S4.8: an allocation that is split in another way than the loops.
fuser.fusion @other_split(%0: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{expected i0 in the allocation of result 0, which is split like the loops, but got i3 in #fuser.domain}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 2) -> (i1, i2), split(i0, outer 3) -> (i3, i4),
      loop = [i1 @stream, i2], allocation = [i3, i4]>]} : tensor<6xf32>
  fuser.return %1 : tensor<6xf32>
}

// -----

// S4.6: the user has the same streams in another order.
fuser.fusion @other_order(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @+1 {{expected no stream in the allocation of a value that is used over other streams, but got stream i4 in #fuser.domain}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i2, i3, i4, i5]>]} : tensor<4x6xf32>
  // expected-note @+1 {{used here, over i4 i2 of #fuser.domain}}
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i4 @stream, i2 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}

// -----

fuser.fusion @merged_allocation(%0: tensor<6x4x5xf32>) -> tensor<6x4x5xf32> attributes {mesh = #fuser.mesh<device_x = 2>} {
  // expected-error @+1 {{expected the allocation of result 0 to consist of dimensions and their parts, but got #fuser.domain}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, outer 2) -> (i3, i4), merge(i1, i2) -> i5,
      loop = [i3 @device_x, i4, i5], allocation = [i3, i4, i5]>]} : tensor<6x4x5xf32>
  fuser.return %1 : tensor<6x4x5xf32>
}
