// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of ShapeOps.td.

// SH1
fuser.fusion @broadcast_dim(%x: tensor<?xf32>) -> tensor<?x1xf32> {
  // expected-error @+1 {{expected 'dims' between 0 and 1, but got 2}}
  %0 = fuser.broadcast %x dims [2] : tensor<?xf32> -> tensor<?x1xf32>
  fuser.return %0 : tensor<?x1xf32>
}

// -----

// SH1
fuser.fusion @broadcast_order(%x: tensor<?xf32>) -> tensor<1x1x?xf32> {
  // expected-error @+1 {{expected 'dims' in ascending order, but got [1, 0]}}
  %0 = fuser.broadcast %x dims [1, 0] : tensor<?xf32> -> tensor<1x1x?xf32>
  fuser.return %0 : tensor<1x1x?xf32>
}

// -----

// SH2
fuser.fusion @broadcast_shape(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<?x1xf32>', but got 'tensor<?x2xf32>'}}
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x2xf32>
  fuser.return %0 : tensor<?x2xf32>
}

// -----

// SH3
fuser.fusion @broadcast_element(%x: tensor<?xf32>) -> tensor<?x1xf16> {
  // expected-error @+1 {{expected a result of type 'tensor<?x1xf32>', but got 'tensor<?x1xf16>'}}
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf16>
  fuser.return %0 : tensor<?x1xf16>
}

// -----

// SH2
fuser.fusion @expand_rank(%x: tensor<1xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected a result of rank 1, but got 2}}
  %0 = fuser.expand %x : tensor<1xf32> -> tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// SH2
fuser.fusion @expand_large(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<2xf32>', but got 'tensor<4xf32>'}}
  %0 = fuser.expand %x : tensor<2xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH4
fuser.fusion @expand_sizes(%x: tensor<1x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'sizes', but got 0}}
  %0 = fuser.expand %x : tensor<1x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// SH1
fuser.fusion @squeeze_dim(%x: tensor<1xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'dims' between 0 and 0, but got -1}}
  %0 = fuser.squeeze %x dims [-1] : tensor<1xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// SH2
fuser.fusion @squeeze_size(%x: tensor<?xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected dimension 0 of the operand to be of size 1, but got 'tensor<?xf32>'}}
  %0 = fuser.squeeze %x dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// SH1
fuser.fusion @permutation(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected a permutation of the operand's 2 dimensions, but got [0, 0]}}
  %0 = fuser.permute %x [0, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  fuser.return %0 : tensor<2x3xf32>
}

// -----

// SH1
fuser.fusion @permutation_size(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected a permutation of the operand's 2 dimensions, but got []}}
  %0 = fuser.permute %x [] : tensor<2x3xf32> -> tensor<2x3xf32>
  fuser.return %0 : tensor<2x3xf32>
}

// -----

// SH2
fuser.fusion @permute_shape(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<3x2xf32>', but got 'tensor<2x3xf32>'}}
  %0 = fuser.permute %x [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  fuser.return %0 : tensor<2x3xf32>
}

// -----

// SH3
fuser.fusion @reshape_element(%x: tensor<4xf32>) -> tensor<2x2xf16> {
  // expected-error @+1 {{expected a result with element type 'f32', but got 'f16'}}
  %0 = fuser.reshape %x : tensor<4xf32> -> tensor<2x2xf16>
  fuser.return %0 : tensor<2x2xf16>
}

// -----

// SH5
fuser.fusion @reshape_count(%x: tensor<4x6xf32>) -> tensor<5x5xf32> {
  // expected-error @+1 {{expected a result of 24 elements like the operand, but got 25}}
  %0 = fuser.reshape %x : tensor<4x6xf32> -> tensor<5x5xf32>
  fuser.return %0 : tensor<5x5xf32>
}

// -----

// SH5
fuser.fusion @reshape_to_scalar(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected a result of 4 elements like the operand, but got 1}}
  %0 = fuser.reshape %x : tensor<4xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// SH5
fuser.fusion @reshape_two_unknowns(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected at most one dynamic result dimension in a group of dimensions that split and merge, but got 2}}
  %0 = fuser.reshape %x : tensor<?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_between_unknowns(%x: tensor<?x4x?xf32>) -> tensor<?x2x?xf32> {
  // expected-error @+1 {{expected static dimensions of equal products between dynamic ones 0 and 1 of both shapes, but got others: which of the two takes the rest is open}}
  %0 = fuser.reshape %x : tensor<?x4x?xf32> -> tensor<?x2x?xf32>
  fuser.return %0 : tensor<?x2x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_fewer_unknowns(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected at most one dynamic result dimension in a group of dimensions that split and merge, but got 2}}
  %0 = fuser.reshape %x : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_static(%x: tensor<?x4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a dynamic result dimension for the operand's dynamic ones, but got none}}
  %0 = fuser.reshape %x : tensor<?x4xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH5
fuser.fusion @reshape_indivisible(%x: tensor<10xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected the 10 elements to divide by the static result dimensions, but they do not}}
  %0 = fuser.reshape %x : tensor<10xf32> -> tensor<?x4xf32>
  fuser.return %0 : tensor<?x4xf32>
}

// -----

// ST1
// expected-error @+1 {{expected argument 0 to have fewer than 2^59 elements, but got 'tensor<4611686018427387904x4xf32>'}}
fuser.fusion @reshape_huge(%x: tensor<4611686018427387904x4xf32>) -> tensor<8x4611686018427387904xf32> {
  %0 = fuser.reshape %x : tensor<4611686018427387904x4xf32> -> tensor<8x4611686018427387904xf32>
  fuser.return %0 : tensor<8x4611686018427387904xf32>
}

// -----

// SH5
fuser.fusion @reshape_groups_operand(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected groups of the 3 dimensions of the operand, but got groups of 2}}
  %0 = fuser.reshape %x groups [1, 1] to [1, 1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_groups_count(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected as many groups of the operand's dimensions as of the result's, but got 2 and 1}}
  %0 = fuser.reshape %x groups [1, 2] to [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_groups_negative(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected groups of 0 to 3 dimensions of the operand, but got one of 4}}
  %0 = fuser.reshape %x groups [4, -1] to [1, 1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_groups_elements(%x: tensor<4x6x?xf32>) -> tensor<6x4x?xf32> {
  // expected-error @+1 {{expected a result of 4 elements like the operand, but got 6}}
  %0 = fuser.reshape %x groups [1, 1, 1] to [1, 1, 1] : tensor<4x6x?xf32> -> tensor<6x4x?xf32>
  fuser.return %0 : tensor<6x4x?xf32>
}

// -----

// SH5
fuser.fusion @reshape_groups_unknowns(%x: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  // expected-error @+1 {{expected at most one dynamic result dimension in a group of dimensions that split and merge, but got 2}}
  %0 = fuser.reshape %x groups [1, 1] to [1, 2] : tensor<?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// -----

// SH4
fuser.fusion @slice_entries(%x: tensor<8x8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 'offsets' to have 2 entries, but got 1}}
  %0 = fuser.slice %x [0] [4] : tensor<8x8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH4
fuser.fusion @slice_strides(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 'strides' to have 1 entries, but got 2}}
  %0 = fuser.slice %x [0] [4] strides [1, 1] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH4
fuser.fusion @slice_values(%x: tensor<8xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'sizes', but got 0}}
  %0 = "fuser.slice"(%x) <{static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>,
      operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8xf32>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// SH6
fuser.fusion @slice_negative(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected an offset and a size of at least 0 and a stride of at least 1 in dimension 0, but got -1, 4 and 1}}
  %0 = fuser.slice %x [-1] [4] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH6
fuser.fusion @slice_stride(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{but got 0, 4 and 0}}
  %0 = fuser.slice %x [0] [4] strides [0] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH6
fuser.fusion @slice_outside(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a slice inside of dimension 0 (size 8), but got offset 2, size 4 and stride 2}}
  %0 = fuser.slice %x [2] [4] strides [2] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH6
fuser.fusion @slice_overflow(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a slice inside of dimension 0}}
  %0 = fuser.slice %x [0] [4] strides [1099511627776] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH2
fuser.fusion @slice_result(%x: tensor<8xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %0 = fuser.slice %x [0] [4] : tensor<8xf32> -> tensor<5xf32>
  fuser.return %0 : tensor<5xf32>
}

// -----

// SH4
fuser.fusion @pad_entries(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  // expected-error @+1 {{expected 'high' to have 1 entries, but got 0}}
  %0 = fuser.pad %x low [0] high [] value %v : tensor<8xf32>, f32 -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH2
fuser.fusion @pad_crops_all(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  // expected-error @+1 {{expected a result size of at least 0 in dimension 0, but got 8 + -9 + 0}}
  %0 = fuser.pad %x low [-9] high [0] value %v : tensor<8xf32>, f32 -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH2
fuser.fusion @pad_result(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<10xf32>', but got 'tensor<8xf32>'}}
  %0 = fuser.pad %x low [1] high [1] value %v : tensor<8xf32>, f32 -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH3
fuser.fusion @pad_value(%x: tensor<8xi32>, %v: f32) -> tensor<9xi32> {
  // expected-error @+1 {{expected 'value' to convert to 'i32', but got 'f32'}}
  %0 = fuser.pad %x low [1] high [0] value %v : tensor<8xi32>, f32 -> tensor<9xi32>
  fuser.return %0 : tensor<9xi32>
}

// -----

fuser.fusion @cat_nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected at least one operand, but got none}}
  %0 = "fuser.cat"() <{dim = 0 : i64}> : () -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH1
fuser.fusion @cat_dim(%x: tensor<8xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{expected 'dim' between 0 and 0, but got 1}}
  %0 = fuser.cat %x, %x dim 1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  fuser.return %0 : tensor<16xf32>
}

// -----

// SH2
fuser.fusion @cat_rank(%x: tensor<8xf32>, %y: tensor<f32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected operand 1 with the rank and element type of 'tensor<8xf32>', but got 'tensor<f32>'}}
  %0 = fuser.cat %x, %y dim 0 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH2
fuser.fusion @cat_other_dim(%x: tensor<2x4xf32>, %y: tensor<2x5xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected dimension 1 of operand 1 to be 4, but got 5}}
  %0 = fuser.cat %x, %y dim 0 : (tensor<2x4xf32>, tensor<2x5xf32>) -> tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// SH2
fuser.fusion @cat_result(%x: tensor<2x4xf32>) -> tensor<5x4xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<4x4xf32>', but got 'tensor<5x4xf32>'}}
  %0 = fuser.cat %x, %x dim 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  fuser.return %0 : tensor<5x4xf32>
}

// -----

// SH2
fuser.fusion @insert_rank(%x: tensor<2xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected a source with the rank and element type of 'tensor<4x4xf32>', but got 'tensor<2xf32>'}}
  %0 = fuser.insert_slice %x into %y [0, 0] : tensor<2xf32> into tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// SH6
fuser.fusion @insert_outside(%x: tensor<2xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the source inside of dimension 0 (size 4), but got offset 3 and size 2}}
  %0 = fuser.insert_slice %x into %y [3] : tensor<2xf32> into tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH6
fuser.fusion @insert_negative(%x: tensor<2xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected an offset of at least 0 in dimension 0, but got -3}}
  %0 = fuser.insert_slice %x into %y [-3] : tensor<2xf32> into tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH2
fuser.fusion @repeats(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected one number of repeats for each of 1 dimensions, but got 2}}
  %0 = fuser.repeat %x [2, 2] : tensor<2xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH2
fuser.fusion @repeat_zero(%x: tensor<2xf32>) -> tensor<0xf32> {
  // expected-error @+1 {{expected at least 1 repeat, but got 0}}
  %0 = fuser.repeat %x [0] : tensor<2xf32> -> tensor<0xf32>
  fuser.return %0 : tensor<0xf32>
}

// -----

// SH2
fuser.fusion @repeat_overflow(%x: tensor<8388608xf32>) -> tensor<0xf32> {
  // expected-error @+1 {{expected fewer than 2^63 elements, but got 1099511627776 repeats}}
  %0 = fuser.repeat %x [1099511627776] : tensor<8388608xf32> -> tensor<0xf32>
  fuser.return %0 : tensor<0xf32>
}

// -----

// SH3
fuser.fusion @full_value(%v: f32) -> tensor<4xi32> {
  // expected-error @+1 {{expected 'value' to convert to 'i32', but got 'f32'}}
  %0 = fuser.full %v : f32 -> tensor<4xi32>
  fuser.return %0 : tensor<4xi32>
}

// -----

// SH4
fuser.fusion @full_sizes(%v: f32, %n: index) -> tensor<4xf32> {
  // expected-error @+1 {{expected 0 values for the dynamic entries of 'sizes', but got 1}}
  %0 = fuser.full %v sizes(%n) : f32 -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH2
fuser.fusion @iota_rank(%v: f32) -> tensor<2x2xf32> {
  // expected-error @+1 {{expected a result of rank 1, but got 'tensor<2x2xf32>'}}
  %0 = fuser.iota %v, %v : f32, f32 -> tensor<2x2xf32>
  fuser.return %0 : tensor<2x2xf32>
}

// -----

// SH4
fuser.fusion @iota_length(%v: f32) -> tensor<?xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'length', but got 0}}
  %0 = fuser.iota %v, %v : f32, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// SH3
fuser.fusion @iota_bool(%v: f32) -> tensor<2xi1> {
  // expected-error @+1 {{expected a float or integer (no i1) element type, but got 'i1'}}
  %0 = fuser.iota %v, %v : f32, f32 -> tensor<2xi1>
  fuser.return %0 : tensor<2xi1>
}

// -----

// SH5
fuser.fusion @reshape_to_empty(%x: tensor<?xf32>) -> tensor<0x?x0xf32> {
  // expected-error @+1 {{expected both sides to be empty, but one is not}}
  %0 = fuser.reshape %x : tensor<?xf32> -> tensor<0x?x0xf32>
  fuser.return %0 : tensor<0x?x0xf32>
}

// -----

// SH5
fuser.fusion @reshape_any_size(%x: tensor<5x0xf32>) -> tensor<0x?xf32> {
  // expected-error @+1 {{expected no dynamic result dimension next to an empty one in a group of dimensions that split and merge, because any size is possible}}
  %0 = fuser.reshape %x : tensor<5x0xf32> -> tensor<0x?xf32>
  fuser.return %0 : tensor<0x?xf32>
}

// -----

// SH4
fuser.fusion @insert_offsets(%s: tensor<4xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{offsets}}
  %0 = "fuser.insert_slice"(%s, %d) <{static_offsets = array<i64>}> : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SH5
fuser.fusion @reshape_of_ones(%x: tensor<1xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected dimensions that split and merge, but all dimensions of one side are 1}}
  %0 = fuser.reshape %x : tensor<1xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// SH7
fuser.fusion @long_factor(%x: tensor<?xf32>) -> tensor<?x1099511627777xf32> {
  // expected-error @+1 {{expected sizes of at most 2^40 where a dimension is split, but one is longer}}
  %0 = fuser.reshape %x : tensor<?xf32> -> tensor<?x1099511627777xf32>
  fuser.return %0 : tensor<?x1099511627777xf32>
}

// -----

// SH7
fuser.fusion @far_slice(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 'offsets' of at most 2^40, but got 9223372036854775807}}
  %0 = fuser.slice %x [9223372036854775807] [4] : tensor<?xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH7
fuser.fusion @wide_steps(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 'strides' of at most 2^40, but got 4611686018427387904}}
  %0 = fuser.slice %x [0] [4] strides [4611686018427387904] : tensor<?xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// SH7
fuser.fusion @wide_pad(%x: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'low' of at most 2^40, but got -9223372036854775807}}
  %0 = fuser.pad %x low [-9223372036854775807] high [0] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// SH7
fuser.fusion @many_repeats(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'repeats' of at most 2^40, but got 9223372036854775807}}
  %0 = fuser.repeat %x [9223372036854775807] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @many_results(%x: tensor<1073741824x1xf32>, %y: tensor<1x1073741824xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected fewer than 2^59 elements, but got 'tensor<1073741824x1073741824xf32>'}}
  %0 = fuser.add %x, %y : (tensor<1073741824x1xf32>, tensor<1x1073741824xf32>) -> tensor<1073741824x1073741824xf32>
  %1 = fuser.sum %0 dims [0, 1] : tensor<1073741824x1073741824xf32> -> tensor<f32>
  fuser.return %1 : tensor<f32>
}

// -----

// Nothing is not too much.
fuser.fusion @empty(%x: tensor<4611686018427387904x4611686018427387904x0xf32>) -> tensor<4611686018427387904x4611686018427387904x0xf32> {
  fuser.return %x : tensor<4611686018427387904x4611686018427387904x0xf32>
}
