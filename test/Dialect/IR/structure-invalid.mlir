// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault of a function, a host op or an attribute per piece; labels are those of Structure.cpp and Host.cpp.

// ST1
// expected-error @+1 {{expected argument 0 to be a ranked tensor or a scalar (i1, i64, f32, f64, complex, index), but got 'i32'}}
fuser.fusion @scalar_type(%x: i32) {
  fuser.return
}

// -----

// ST1
// expected-error @+1 {{expected argument 0 to be a ranked tensor or a scalar}}
fuser.kernel @unranked(%x: tensor<*xf32>) {
  fuser.return
}

// -----

// ST1
// expected-error @+1 {{expected argument 0 to have fewer than 2^59 elements, but got 'tensor<9223372036854775807x4xf32>'}}
fuser.fusion @too_many_elements(%x: tensor<9223372036854775807x4xf32>) {
  fuser.return
}

// -----

// ST2
// expected-error @+1 {{expected output 0 to be a ranked tensor, but got 'f32'}}
fuser.fusion @scalar_output(%x: f32) -> f32 {
  fuser.return %x : f32
}

// -----

// ST3
// expected-error @+1 {{expected 'arg_layouts' to have 1 elements, but got 2}}
fuser.fusion @number_of_layouts(%x: tensor<?xf32>) attributes {arg_layouts = [unit, unit]} {
  fuser.return
}

// -----

// ST3
// expected-error @+1 {{expected the layout of argument 0 to have rank 1, but got 2}}
fuser.fusion @layout_rank(%x: tensor<?xf32>) attributes {arg_layouts = [#fuser.layout<order = [0, 1]>]} {
  fuser.return
}

// -----

// ST3
// expected-error @+1 {{expected 'order' to be a permutation of 0 to 1, but got [0, 0]}}
fuser.fusion @layout_order(%x: tensor<?x?xf32>) attributes {arg_layouts = [#fuser.layout<order = [0, 0]>]} {
  fuser.return
}

// -----

// ST3
// expected-error @+1 {{expected 'strided' to hold positions of 'order' (0 to 0), but got 1}}
fuser.fusion @layout_strided(%x: tensor<?xf32>) attributes {arg_layouts = [#fuser.layout<order = [0], strided = [1]>]} {
  fuser.return
}

// -----

// ST3
// expected-error @+1 {{attribute 'arg_layouts' failed to satisfy constraint}}
fuser.fusion @layout_type(%x: tensor<?xf32>) attributes {arg_layouts = [1]} {
  fuser.return
}

// -----

// ST3
// expected-error @+1 {{attribute 'arg_layouts' failed to satisfy constraint}}
fuser.fusion @layouts_type(%x: tensor<?xf32>) attributes {arg_layouts = 1} {
  fuser.return
}

// -----

// ST4, S0.1
// expected-error @+1 {{expected 'output_orders' to have 1 elements, but got 0}}
fuser.fusion @number_of_orders(%x: tensor<?xf32>) -> tensor<?xf32> attributes {output_orders = []} {
  fuser.return %x : tensor<?xf32>
}

// -----

// ST4, S0.1
// expected-error @+1 {{expected the required stride order of output 0 to be a permutation of its 2 dimensions, but got [1, 1]}}
fuser.fusion @order(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 1, 1>]} {
  fuser.return %x : tensor<?x?xf32>
}

// -----

// ST4, S0.1
// expected-error @+1 {{expected the required stride order of output 0 to be a permutation of its 2 dimensions, but got [0]}}
fuser.fusion @order_rank(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 0>]} {
  fuser.return %x : tensor<?x?xf32>
}

// -----

// ST5
// expected-error @+1 {{expected an alias of one of 1 outputs and 1 arguments, but got #fuser.alias<output 1, input 0>}}
fuser.fusion @alias_output(%x: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  fuser.return %x : tensor<?xf32>
}

// -----

// ST5
// expected-error @+1 {{expected an alias of one of 1 outputs and 1 arguments, but got #fuser.alias<output 0, input -1>}}
fuser.fusion @alias_input(%x: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 0, input -1>]} {
  fuser.return %x : tensor<?xf32>
}

// -----

// ST5
// expected-error @+1 {{expected aliased output 0 to have the type of argument 1 ('tensor<4xf32>'), but got 'tensor<?xf32>'}}
fuser.fusion @alias_type(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  fuser.return %x : tensor<?xf32>
}

// -----

// ST5: two requirements on one buffer (S0.1).
// expected-error @+3 {{expected argument 0 to be aliased once, but got twice}}
// expected-note @+2 {{output 0 is stored here, with required stride order [1, 0]}}
// expected-note @+1 {{output 1 is stored here, with no required stride order}}
fuser.fusion @alias_twice(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>, #fuser.alias<output 1, input 0>],
                arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>, unit]} {
  fuser.return %x, %x : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// ST5: an alias cannot give an output another order than its argument has (S0.1).
// expected-error @+2 {{expected output 0 to be stored in its required stride order [1, 0], but got an alias of argument 0}}
// expected-note @+1 {{the argument has the order [0, 1]}}
fuser.fusion @alias_order(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.add %x, %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// ST10 (S0.4)
fuser.fusion @stride_order(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'order' to be a permutation of 2 dimensions, but got [1, 1]}}
  %0 = fuser.stride_order %x [1, 1] : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// ST6
// expected-error @+1 {{expected a fact of a dimension of a tensor argument, but got #fuser.fact<divisible 0[1], 8>}}
fuser.fusion @fact_dim(%x: tensor<?xf32>) attributes {facts = [#fuser.fact<divisible 0[1], 8>]} {
  fuser.return
}

// -----

// ST6
// expected-error @+1 {{expected a fact of a dimension of a tensor argument, but got #fuser.fact<equal 0[0], 1[0]>}}
fuser.fusion @fact_of_scalar(%x: tensor<?xf32>, %n: index) attributes {facts = [#fuser.fact<equal 0[0], 1[0]>]} {
  fuser.return
}

// -----

// ST6
// expected-error @+1 {{expected a positive value, but got 0}}
fuser.fusion @fact_value(%x: tensor<?xf32>) attributes {facts = [#fuser.fact<divisible 0[0], 0>]} {
  fuser.return
}

// -----

// ST6
// expected-error @+1 {{but got 'even'}}
fuser.fusion @fact_kind(%x: tensor<?xf32>) attributes {facts = [#fuser.fact<even 0[0], 2>]} {
  fuser.return
}

// -----

// ST7
// expected-error @+1 {{expected a body that ends with 'fuser.return'}}
fuser.fusion @no_return(%x: tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?xf32>
}

// -----

// ST7
// expected-error @+1 {{expected a body}}
fuser.fusion @no_body(%x: tensor<?xf32>)

// -----

// ST8
// expected-error @+1 {{expected public visibility, but got 'private'}}
fuser.fusion private @hidden(%x: tensor<?xf32>) {
  fuser.return
}

// -----

fuser.fusion @number_of_outputs(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 1 outputs, but got 2}}
  fuser.return %x, %x : tensor<?xf32>, tensor<?xf32>
}

// -----

fuser.fusion @output_type(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected output 0 of type 'tensor<4xf32>', but got 'tensor<?xf32>'}}
  fuser.return %x : tensor<?xf32>
}

// -----

// ST9
func.func @no_callee(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected a fusion named @f, but there is none}}
  fuser.call @f(%x) : (tensor<?xf32>) -> ()
  return
}

// -----

// ST9
func.func @f() {
  return
}
func.func @callee_is_no_fusion(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected a fusion named @f, but there is none}}
  fuser.call @f(%x) : (tensor<?xf32>) -> ()
  return
}

// -----

// ST9
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
func.func @number_of_operands() {
  // expected-error @+1 {{expected 1 operands for @f, but got 0}}
  %0 = fuser.call @f() : () -> tensor<?xf32>
  return
}

// -----

// ST9
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
func.func @result_type(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected result 0 of type 'tensor<?xf32>', but got 'tensor<4xf32>'}}
  %0 = fuser.call @f(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

// HO1
fuser.host @alloc_sizes() {
  // expected-error @+1 {{expected 1 sizes for the dynamic dimensions of 'tensor<?x4xf32>', but got 0}}
  %0 = fuser.alloc() : tensor<?x4xf32>
  fuser.return
}

// -----

// HO1
fuser.host @alloc_order() {
  // expected-error @+1 {{expected 'order' to be a permutation of 2 dimensions, but got [0, 2]}}
  %0 = fuser.alloc() order [0, 2] : tensor<4x4xf32>
  fuser.return
}

// -----

// HO2
fuser.host @view_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected one offset, one size and one stride for each of 2 dimensions, but got 1, 2 and 2}}
  %0 = fuser.view %x [0] [4, 4] : tensor<4x4xf32> -> tensor<4x4xf32>
  fuser.return
}

// -----

// HO2
fuser.host @view_result(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a result of type 'tensor<2x4xf32>', but got 'tensor<3x4xf32>'}}
  %0 = fuser.view %x [0, 0] [2, 4] : tensor<4x4xf32> -> tensor<3x4xf32>
  fuser.return
}

// -----

// HO2
fuser.host @view_outside(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a box inside of dimension 0 (size 4), but got offset 3 and size 2}}
  %0 = fuser.view %x [3, 0] [2, 4] : tensor<4x4xf32> -> tensor<2x4xf32>
  fuser.return
}

// -----

// HO2
fuser.host @view_values(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'offsets', but got 0}}
  %0 = "fuser.view"(%x) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2>,
      operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4xf32>) -> tensor<2xf32>
  fuser.return
}

// -----

// HO9
fuser.host @reshape_view_groups(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected as many groups of the result as of the base, but got 1 and 2}}
  %0 = fuser.reshape_view %x [16] groups [1, 1] to [1] : tensor<4x4xf32> -> tensor<16xf32>
  fuser.return
}

// -----

// HO9
fuser.host @reshape_view_count(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected groups of 2 dimensions of the base and 1 of the result, but got [1] and [1]}}
  %0 = fuser.reshape_view %x [16] groups [1] to [1] : tensor<4x4xf32> -> tensor<16xf32>
  fuser.return
}

// -----

// HO9
fuser.host @reshape_view_too_many(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected groups of 2 dimensions of the base and 1 of the result, but got [3] and [1]}}
  %0 = fuser.reshape_view %x [16] groups [3] to [1] : tensor<4x4xf32> -> tensor<16xf32>
  fuser.return
}

// -----

// HO9
fuser.host @reshape_view_elements(%x: tensor<?x4x4xf32>, %n: index) {
  // expected-error @+1 {{expected 16 elements in group 1 of the result, but got 12}}
  %0 = fuser.reshape_view %x [%n, 12] groups [1, 2] to [1, 1] : tensor<?x4x4xf32> -> tensor<?x12xf32>
  fuser.return
}

// -----

// HO9
fuser.host @reshape_view_type(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a result of type 'tensor<16xf32>', but got 'tensor<8x2xf32>'}}
  %0 = fuser.reshape_view %x [16] groups [2] to [1] : tensor<4x4xf32> -> tensor<8x2xf32>
  fuser.return
}

// -----

// HO8
fuser.host @place_elements(%x: tensor<4x4xf32>, %y: tensor<15xf32>) {
  // expected-error @+1 {{expected all elements of 'tensor<4x4xf32>', but got 'tensor<15xf32>'}}
  %0 = fuser.place %y into %x [] : tensor<15xf32> into tensor<4x4xf32>
  fuser.return
}

// -----

// HO3
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
fuser.host @launch_results(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected one result for each of 1 outputs, but got 0}}
  fuser.launch @k ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>)
  fuser.return
}

// -----

// HO3
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
fuser.host @launch_result_type(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected result 0 of type 'tensor<?xf32>' like its output, but got 'tensor<4xf32>'}}
  %0 = fuser.launch @k ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<4xf32>
  fuser.return
}

// -----

// HO10
fuser.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  fuser.return %x : tensor<4xf32>
}
fuser.host @launch_on_allocation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{it is allocated here}}
  %0 = fuser.alloc() : tensor<4xf32>
  %1 = fuser.launch @k ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = fuser.alloc() : tensor<4xf32>
  // expected-error @+1 {{expected input 0 to be the result of the op that writes it, but got the allocation itself}}
  %3 = fuser.launch @k ins(%0 : tensor<4xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %3 : tensor<4xf32>
}

// -----

// HO4
fuser.host @launch_nothing(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected a kernel named @k, but there is none}}
  %0 = fuser.launch @k ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  fuser.return
}

// -----

// HO4
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
fuser.host @launch_inputs(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected 1 inputs for @k, but got 0}}
  %0 = fuser.launch @k outs(%x : tensor<?xf32>) -> tensor<?xf32>
  fuser.return
}

// -----

// HO4
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
fuser.host @launch_element(%x: tensor<?xf16>, %y: tensor<?xf32>) {
  // expected-error @+1 {{expected inputs 0 of type 'tensor<?xf32>', but got 'tensor<?xf16>'}}
  %0 = fuser.launch @k ins(%x : tensor<?xf16>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  fuser.return
}

// -----

// HO4
fuser.kernel @k(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
fuser.host @launch_scalar(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected inputs 0 of type 'index', but got 'tensor<?xf32>'}}
  %0 = fuser.launch @k ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  fuser.return
}

// -----

// HO5
fuser.host @copy(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{expected a source of type 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %0 = fuser.copy %x into %y : tensor<4xf32>, tensor<8xf32>
  fuser.return
}

// -----

// HO6
fuser.host @for_streams(%n: index) {
  // expected-error @+1 {{expected at least 1 stream, but got 0}}
  fuser.for %i to %n streams 0 {
  }
  fuser.return
}

// -----

// expected-error @+1 {{expected at least 1 device along each axis, but got 0}}
fuser.fusion @mesh_size() attributes {mesh = #fuser.mesh<device_x = 0>} {
  fuser.return
}

// -----

// ST11
// expected-error @+1 {{expected 'arg_domains' to have 1 elements, but got 2}}
fuser.fusion @domain_count(%x: tensor<4xf32>) attributes {arg_domains = [unit, unit]} {
  fuser.return
}

// -----

// ST11
// expected-error @+1 {{expected a tensor to have a domain, but got argument 0 of type 'f32'}}
fuser.fusion @domain_of_scalar(%x: f32) attributes {arg_domains = [#fuser.domain<logical = []>]} {
  fuser.return
}

// -----

// ST11
// expected-error @+1 {{expected the domain of argument 0 to have one logical id for each of 2 dimensions and no root, but got}}
fuser.fusion @domain_rank(%x: tensor<4x8xf32>) attributes {arg_domains = [#fuser.domain<logical = [i0]>]} {
  fuser.return
}

// -----

// HO2
fuser.host @view_dims(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected 'dims' to name each dimension of the base at most once, or -1, but got [0, 0]}}
  %0 = fuser.view %x [0, 0] [4, 4] dims [0, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  fuser.return
}

// -----

// HO2
fuser.host @view_drops(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected 'dims' to leave out dimensions of size 1 only, but got dimension 1 of size 4}}
  %0 = fuser.view %x [0, 0] [4, 4] dims [0] : tensor<4x4xf32> -> tensor<4xf32>
  fuser.return
}

// -----

// HO2
fuser.host @view_steps(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a box inside of dimension 0 (size 4), but got offset 1 and size 2 with stride 3}}
  %0 = fuser.view %x [1, 0] [2, 4] strides [3, 1] : tensor<4x4xf32> -> tensor<2x4xf32>
  fuser.return
}

// -----

// HO8
fuser.host @place_outside(%x: tensor<2x4xf32>, %y: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a part inside of dimension 0 (size 4), but got offset 3 and size 2}}
  %0 = fuser.place %x into %y [3, 0] : tensor<2x4xf32> into tensor<4x4xf32>
  fuser.return
}

// -----

// HO8
fuser.host @place_rank(%x: tensor<4xf32>, %y: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a part with the rank and element type of 'tensor<4x4xf32>' and an offset for each dimension, but got 'tensor<4xf32>' and 1 offsets}}
  %0 = fuser.place %x into %y [3] : tensor<4xf32> into tensor<4x4xf32>
  fuser.return
}

// -----

// HO7
fuser.host @library_call_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one result for each of 1 outputs, but got 0}}
  fuser.library_call "sort" ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
  fuser.return
}

// -----

// ST11
fuser.fusion @library_sizes(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'sizes', but got 0}}
  %0 = fuser.library "sort"(%x : tensor<?xf32>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// ST11
fuser.fusion @library_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected results of the shape of 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %0:2 = fuser.library "sort"(%x : tensor<4xf32>) -> tensor<4xf32>, tensor<5xf32>
  fuser.return %0#0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected '<'}}
fuser.fusion @fact_without_text() attributes {facts = [#fuser.fact]} {
  fuser.return
}

// -----

// expected-error @+1 {{expected valid keyword}}
fuser.fusion @fact_without_kind() attributes {facts = [#fuser.fact<8>]} {
  fuser.return
}

// -----

// expected-error @+1 {{expected '['}}
fuser.fusion @fact_without_dimension() attributes {facts = [#fuser.fact<divisible 0, 8>]} {
  fuser.return
}

// -----

// expected-error @+1 {{expected ','}}
fuser.fusion @fact_without_value() attributes {facts = [#fuser.fact<divisible 0[0]>]} {
  fuser.return
}

// -----

// expected-error @+1 {{expected integer value}}
fuser.fusion @fact_of_a_word() attributes {facts = [#fuser.fact<aligned 0, much>]} {
  fuser.return
}

// -----

// expected-error @+1 {{expected '>'}}
fuser.fusion @fact_with_more() attributes {facts = [#fuser.fact<aligned 0, 16, 32>]} {
  fuser.return
}

// -----

// HO2
fuser.host @negative_size(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected an offset and a size of at least 0 and a stride of at least 1 in dimension 0, but got -1, 4 and 1}}
  %0 = fuser.view %x [-1] [4] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// HO8
fuser.host @place_offsets(%x: tensor<8xf32>, %p: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'offsets', but got 0}}
  %0 = "fuser.place"(%p, %x) <{static_offsets = array<i64: -9223372036854775808>}> : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// HO6
fuser.host @body_argument(%n: index) {
  // expected-error @+1 {{expected one body argument of type index}}
  "fuser.for"(%n) <{streams = 2 : i64}> ({
  ^bb0(%i: i64):
    "fuser.yield"() : () -> ()
  }) : (index) -> ()
  fuser.return
}

// -----

fuser.host @for_without_count(%n: index) {
  // expected-error @+1 {{expected 'to'}}
  fuser.for %i streams 2 {
  }
  fuser.return
}

// -----

fuser.host @for_without_body(%n: index) {
  // expected-error @+1 {{expected '{' to begin a region}}
  fuser.for %i to %n streams 2
  fuser.return
}

// -----

// ST8
// expected-error @+1 {{expected public visibility, but got 'nested'}}
fuser.fusion nested @hidden() {
  fuser.return
}

// -----

// ST9: what the fusion takes, as a tensor or as the buffer that bufferization makes of it.
fuser.fusion @takes(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}
func.func @passes_other_buffer(%x: memref<4xf32>) {
  // expected-error @+1 {{expected operand 0 of type 'tensor<?xf32>' or}}
  %0 = fuser.call @takes(%x) : (memref<4xf32>) -> tensor<?xf32>
  return
}

// -----

// ST11
fuser.fusion @routine_without_results() {
  // expected-error @+1 {{expected at least one result, but got none}}
  "fuser.library"() <{routine = "touch", operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  fuser.return
}

// -----

// A routine was once called a callee.
fuser.fusion @former_name() {
  // expected-error @+1 {{requires attribute 'routine'}}
  "fuser.library"() {callee = "touch", operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  fuser.return
}

// -----

// ST6
// expected-error @+1 {{expected an alignment of a power of two of at most 4096 bytes, but got #fuser.fact<aligned 0, 24>}}
fuser.fusion @alignment(%x: tensor<?xf32>) attributes {facts = [#fuser.fact<aligned 0, 24>]} {
  fuser.return
}

// -----

// ST6
// expected-error @+1 {{expected an alignment of a power of two of at most 4096 bytes, but got #fuser.fact<aligned 0, 4611686018427387904>}}
fuser.fusion @large_alignment(%x: tensor<?xf32>) attributes {facts = [#fuser.fact<aligned 0, 4611686018427387904>]} {
  fuser.return
}

// -----

// A misspelled attribute is not dropped.
// expected-error @+1 {{expected attributes of the op or of a dialect ('dialect.name'), but got 'fact'}}
fuser.fusion @misspelled(%x: tensor<?xf32>) attributes {fact = [#fuser.fact<aligned 0, 16>]} {
  fuser.return
}

// -----

fuser.fusion @misspelled_of_op(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected attributes of the op or of a dialect ('dialect.name'), but got 'inlin_at'}}
  %0 = fuser.neg %x {inlin_at = 1 : i64} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected 'sym_name' to be written before the attributes only}}
fuser.fusion @twice(%x: tensor<4xf32>) -> tensor<4xf32> attributes {sym_name = "again"} {
  fuser.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected 'sym_visibility' to be written before the attributes only}}
fuser.kernel @visible(%x: tensor<4xf32>) -> tensor<4xf32> attributes {sym_visibility = "private"} {
  fuser.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a fact (equal, divisible, at_most, at_least, aligned, elements_at_most, stride_divisible, stride_is), but got 'larger'}}
#a = #fuser.fact<larger 0[0], 1>
