// RUN: fuser-run %s --device=host --program=follow --check | FileCheck %s --check-prefix=FOLLOW
// RUN: fuser-run %s --device=host --program=required --check | FileCheck %s --check-prefix=REQUIRED
// RUN: fuser-run %s --device=host --program=front_end --check | FileCheck %s --check-prefix=FRONTEND
// RUN: fuser-run %s --device=host --program=twice --check | FileCheck %s --check-prefix=TWICE
// RUN: fuser-run %s --device=host --program=forwarded --check | FileCheck %s --check-prefix=FORWARDED
// RUN: fuser-run %s --device=host --program=half --check | FileCheck %s --check-prefix=HALF
// RUN: fuser-run %s --device=host --program=normalize --check | FileCheck %s --check-prefix=NORMALIZE
// RUN: fuser-run %s --device=host --program=channel_sum --check | FileCheck %s --check-prefix=CHANNELSUM
// RUN: fuser-run %s --device=host --program=channel_sum_required --check | FileCheck %s --check-prefix=CHANNELSUMR
// RUN: fuser-run %s --device=host --program=linear --check | FileCheck %s --check-prefix=LINEAR
// RUN: fuser-run %s --device=host --program=in_place --check | FileCheck %s --check-prefix=INPLACE
// RUN: fuser-run %s --device=host --program=permuted --check | FileCheck %s --check-prefix=PERMUTED
// RUN: fuser-run %s --device=host --program=boundary --check | FileCheck %s --check-prefix=BOUNDARY
// RUN: fuser-run %s --device=host --program=boundary_in_place --check | FileCheck %s --check-prefix=BOUNDARYINPLACE
// RUN: fuser-opt %s --fuser-phase-preseg --fuser-phase-segmentation --fuser-phase-choose \
// RUN:   | FileCheck %s --check-prefix=CHOOSE
// Orders end to end: the strides of what comes back are those that facts, requirements and hints ask for, and the
// numbers are those of the reference. One kernel each, and no hidden copy.

// A hint that nobody changes decides (S0.2); a relu of channels-last input is channels-last.
// CHOOSE-LABEL: fuser.kernel @follow_0
// CHOOSE-SAME: schedule = #fuser_sched.pointwise<{{.*}}vector = 4
// FOLLOW: kernels     follow_0
// FOLLOW-NEXT: compile
// FOLLOW-NEXT: outputs     0: 2x4x8x8xf32, strides [256, 1, 32, 4]

fuser.fusion @follow(%x: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.relu %x : tensor<2x4x8x8xf32>
  fuser.return %0 : tensor<2x4x8x8xf32>
}

// A requirement binds (S0.3): contiguous, in the same kernel that reads channels-last.
// REQUIRED: kernels     required_0
// REQUIRED-NEXT: compile
// REQUIRED-NEXT: outputs     0: 2x4x8x8xf32, strides [256, 64, 8, 1]
fuser.fusion @required(%x: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.relu %x : tensor<2x4x8x8xf32>
  fuser.return %0 : tensor<2x4x8x8xf32>
}

// So does a front end's stride order (S0.4); on the intermediate it does not.
// FRONTEND: outputs     0: 2x4x8x8xf32, strides [256, 1, 32, 4]
// FRONTEND-NEXT: 1: 2x4x8x8xf32, strides [1, 2, 8, 64]
fuser.fusion @front_end(%x: tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>)
    attributes {output_orders = [unit, array<i64: 3, 2, 1, 0>]} {
  %0 = fuser.relu %x : tensor<2x4x8x8xf32>
  %1 = fuser.stride_order %0 [1, 0, 2, 3] : tensor<2x4x8x8xf32>
  %2 = fuser.neg %1 : tensor<2x4x8x8xf32>
  %3 = fuser.stride_order %2 [0, 2, 3, 1] : tensor<2x4x8x8xf32>
  fuser.return %3, %2 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
}

// One value at two positions in different orders is stored twice by its producer (S0.1).
// TWICE: kernels     twice_0
// TWICE-NEXT: compile
// TWICE-NEXT: outputs     0: 3x5xf32, strides [5, 1]
// TWICE-NEXT: 1: 3x5xf32, strides [1, 3]
fuser.fusion @twice(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.exp %x : tensor<3x5xf32>
  fuser.return %0, %0 : tensor<3x5xf32>, tensor<3x5xf32>
}

// An output that is an input whose fact differs is a visible copy: a kernel of its own (S0.1).
// FORWARDED: kernels     forwarded_copy_0
// FORWARDED: outputs     0: 3x5xf32, strides [5, 1]
// FORWARDED-NEXT: 1: 3x5xf32, strides [1, 3]
fuser.fusion @forwarded(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>, unit]} {
  fuser.return %x, %x : tensor<3x5xf32>, tensor<3x5xf32>
}

// Hints on every value of a chain, in 16 bits.
// CHOOSE-LABEL: fuser.kernel @half_0
// CHOOSE-SAME: schedule = #fuser_sched.pointwise<{{.*}}vector = 4
// HALF: outputs     0: 2x4x8x8xbf16, strides [256, 1, 32, 4]
// HALF-NEXT: 1: 2x4x8x8xf32, strides [256, 1, 32, 4]
fuser.fusion @half(%x: tensor<2x4x8x8xbf16>, %y: tensor<2x4x8x8xbf16>) -> (tensor<2x4x8x8xbf16>, tensor<2x4x8x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, #fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.cast %x : tensor<2x4x8x8xbf16> to tensor<2x4x8x8xf32>
  %1 = fuser.cast %y : tensor<2x4x8x8xbf16> to tensor<2x4x8x8xf32>
  %2 = fuser.add %0, %1 : tensor<2x4x8x8xf32>
  %3 = fuser.relu %2 : tensor<2x4x8x8xf32>
  %4 = fuser.cast %3 : tensor<2x4x8x8xf32> to tensor<2x4x8x8xbf16>
  fuser.return %4, %2 : tensor<2x4x8x8xbf16>, tensor<2x4x8x8xf32>
}

// NORMALIZE: outputs     0: 2x8x4x4xf32, strides [128, 1, 32, 8]
fuser.fusion @normalize(%x: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.mul %x, %x : tensor<2x8x4x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<2x8x4x4xf32> -> tensor<2x4x4xf32>
  %2 = fuser.rsqrt %1 : tensor<2x4x4xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<2x4x4xf32> -> tensor<2x1x4x4xf32>
  %4 = fuser.mul %x, %3 : (tensor<2x8x4x4xf32>, tensor<2x1x4x4xf32>) -> tensor<2x8x4x4xf32>
  fuser.return %4 : tensor<2x8x4x4xf32>
}

// CHANNELSUM: outputs     0: 4x8x8xf32, strides [8, 32, 1]
fuser.fusion @channel_sum(%x: tensor<2x4x8x8xf32>) -> tensor<4x8x8xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1, 3]>]} {
  %0 = fuser.sum %x dims [0] : tensor<2x4x8x8xf32> -> tensor<4x8x8xf32>
  fuser.return %0 : tensor<4x8x8xf32>
}

// CHANNELSUMR: outputs     0: 4x8x8xf32, strides [1, 32, 4]
fuser.fusion @channel_sum_required(%x: tensor<2x4x8x8xf32>) -> tensor<4x8x8xf32>
    attributes {output_orders = [array<i64: 1, 2, 0>]} {
  %0 = fuser.sum %x dims [0] : tensor<2x4x8x8xf32> -> tensor<4x8x8xf32>
  fuser.return %0 : tensor<4x8x8xf32>
}

// S0.5
// LINEAR: outputs     0: 3x5x8xf32, strides [40, 8, 1]
fuser.fusion @linear(%x: tensor<3x5x16xf32>, %w: tensor<8x16xf32>) -> tensor<3x5x8xf32>
    attributes {arg_layouts = [#fuser.layout<order = [2, 0, 1]>, unit]} {
  %0 = fuser.broadcast %x dims [2] : tensor<3x5x16xf32> -> tensor<3x5x1x16xf32>
  %1 = fuser.broadcast %w dims [0, 1] : tensor<8x16xf32> -> tensor<1x1x8x16xf32>
  %2 = fuser.mul %0, %1 : (tensor<3x5x1x16xf32>, tensor<1x1x8x16xf32>) -> tensor<3x5x8x16xf32>
  %3 = fuser.sum %2 dims [3] : tensor<3x5x8x16xf32> -> tensor<3x5x8xf32>
  fuser.return %3 : tensor<3x5x8xf32>
}

// The order of an aliased output is the fact of its argument.
// INPLACE: outputs     0: 4x6xf32, strides [1, 4]
fuser.fusion @in_place(%x: tensor<4x6xf32>, %acc: tensor<4x6xf32>) -> tensor<4x6xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>], arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.add %x, %acc : tensor<4x6xf32>
  fuser.return %0 : tensor<4x6xf32>
}

// PERMUTED: outputs     0: 2x3x4x8xf32, strides [96, 1, 24, 3]
fuser.fusion @permuted(%x: tensor<2x4x8x3xf32>) -> tensor<2x3x4x8xf32> {
  %0 = fuser.relu %x : tensor<2x4x8x3xf32>
  %1 = fuser.permute %0 [0, 3, 1, 2] : tensor<2x4x8x3xf32> -> tensor<2x3x4x8xf32>
  fuser.return %1 : tensor<2x3x4x8xf32>
}

// S0.6: between kernels too, buffer, writer and readers agree; one of the outputs is read again, in the order that the
// program requires of its first position, and the second position is stored beside it.
// BOUNDARY: kernels     boundary_0
// BOUNDARY-NEXT: boundary_1
// BOUNDARY: outputs     0: 2x4x8x8xf32, strides [256, 64, 8, 1]
// BOUNDARY-NEXT: 1: 2x4x8x8xf32, strides [1, 2, 8, 64]
// BOUNDARY-NEXT: 2: 2x4x8x8xf32, strides [256, 1, 32, 4]
fuser.fusion @boundary(%x: tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>],
                output_orders = [array<i64: 0, 1, 2, 3>, array<i64: 3, 2, 1, 0>, unit]} {
  %0 = fuser.relu %x : tensor<2x4x8x8xf32>
  %1 = fuser.segment_set %0 : tensor<2x4x8x8xf32>
  %2 = fuser.neg %1 : tensor<2x4x8x8xf32>
  fuser.return %1, %1, %2 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
}

// An aliased output that another kernel reads first.
// BOUNDARYINPLACE: kernels     boundary_in_place_0
// BOUNDARYINPLACE-NEXT: boundary_in_place_1
// BOUNDARYINPLACE: outputs     0: 4x6xf32, strides [1, 4]
fuser.fusion @boundary_in_place(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>], arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.relu %x : tensor<4x6xf32>
  %1 = fuser.segment_set %0 : tensor<4x6xf32>
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>
}
