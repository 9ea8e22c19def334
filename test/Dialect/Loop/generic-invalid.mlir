// What only the generic form can say: one fault in each kernel.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

fuser_loop.kernel @no_index(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected one index as argument of the body}}
  "fuser_loop.for"() <{extent = affine_map<() -> (4)>, parallel = #fuser_loop.parallel_type<serial>}> ({
  ^bb0(%i: i64):
  }) : () -> ()
}

// -----

fuser_loop.kernel @two_indices(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected one index as argument of the body}}
  "fuser_loop.for"() <{extent = affine_map<() -> (4)>, parallel = #fuser_loop.parallel_type<serial>}> ({
  ^bb0(%i: index, %j: index):
  }) : () -> ()
}

// -----

fuser_loop.kernel @two_extents(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected one extent, but got 2}}
  "fuser_loop.for"() <{extent = affine_map<() -> (4, 4)>, parallel = #fuser_loop.parallel_type<serial>}> ({
  ^bb0(%i: index):
  }) : () -> ()
}

// -----

fuser_loop.kernel @arrival(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %flag = fuser_loop.buffer : !fuser_loop.buffer<i1, register>
  %counter = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  // expected-error @+1 {{expected a place and a number of blocks, but got 1 expressions}}
  "fuser_loop.last_block"(%flag, %counter) <{arrival = affine_map<() -> (0)>}> : (!fuser_loop.buffer<i1, register>, !fuser_loop.buffer<?xi32, global>) -> ()
}

// -----

#scalar = #fuser_loop.access<() -> (), guard = <[], () -> ()>, chunk = 0, alignment = 0, clamped = false, kept = false, follows = <[]>>
!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @reads(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected one access for each of 1 inputs and 1 outputs}}
  "fuser_loop.tile"(%a, %b) <{guard = #fuser_loop.constraints<[], () -> ()>, once = #fuser_loop.parallel_types<[]>, operandSegmentSizes = array<i32: 1, 1, 0>,
      reads = [], replicated = #fuser_loop.parallel_types<[]>, roots = affine_map<() -> ()>,
      step = #fuser_loop.step<element>, writes = [#scalar]}> ({
  ^bb0(%e: tensor<f32>):
    "fuser_loop.yield"(%e) : (tensor<f32>) -> ()
  }) : (!r, !r) -> ()
}

// -----

#scalar = #fuser_loop.access<() -> (), guard = <[], () -> ()>, chunk = 0, alignment = 0, clamped = false, kept = false, follows = <[]>>
!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @writes(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected one access for each of 1 inputs and 1 outputs}}
  "fuser_loop.tile"(%a, %b) <{guard = #fuser_loop.constraints<[], () -> ()>, once = #fuser_loop.parallel_types<[]>, operandSegmentSizes = array<i32: 1, 1, 0>,
      reads = [#scalar], replicated = #fuser_loop.parallel_types<[]>, roots = affine_map<() -> ()>,
      step = #fuser_loop.step<element>, writes = [#scalar, #scalar]}> ({
  ^bb0(%e: tensor<f32>):
    "fuser_loop.yield"(%e) : (tensor<f32>) -> ()
  }) : (!r, !r) -> ()
}

// -----

#scalar = #fuser_loop.access<() -> (), guard = <[], () -> ()>, chunk = 0, alignment = 0, clamped = false, kept = false, follows = <[]>>
!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @two_ops(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a region with at most one op and a yield}}
  "fuser_loop.tile"(%a, %b) <{guard = #fuser_loop.constraints<[], () -> ()>, once = #fuser_loop.parallel_types<[]>, operandSegmentSizes = array<i32: 1, 1, 0>,
      reads = [#scalar], replicated = #fuser_loop.parallel_types<[]>, roots = affine_map<() -> ()>,
      step = #fuser_loop.step<element>, writes = [#scalar]}> ({
  ^bb0(%e: tensor<f32>):
    %0 = "fuser.exp"(%e) : (tensor<f32>) -> tensor<f32>
    %1 = "fuser.exp"(%e) : (tensor<f32>) -> tensor<f32>
    "fuser_loop.yield"(%1) : (tensor<f32>) -> ()
  }) : (!r, !r) -> ()
}

// -----

#scalar = #fuser_loop.access<() -> (), guard = <[], () -> ()>, chunk = 0, alignment = 0, clamped = false, kept = false, follows = <[]>>
!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @other_operands(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected the op to take all arguments, in order, and its results to be yielded}}
  "fuser_loop.tile"(%a, %b) <{guard = #fuser_loop.constraints<[], () -> ()>, once = #fuser_loop.parallel_types<[]>, operandSegmentSizes = array<i32: 1, 1, 0>,
      reads = [#scalar], replicated = #fuser_loop.parallel_types<[]>, roots = affine_map<() -> ()>,
      step = #fuser_loop.step<element>, writes = [#scalar]}> ({
  ^bb0(%e: tensor<f32>):
    %0 = "fuser.add"(%e, %e) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "fuser_loop.yield"(%0) : (tensor<f32>) -> ()
  }) : (!r, !r) -> ()
}

// -----

#scalar = #fuser_loop.access<() -> (), guard = <[], () -> ()>, chunk = 0, alignment = 0, clamped = false, kept = false, follows = <[]>>
!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @other_results(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected the op to take all arguments, in order, and its results to be yielded}}
  "fuser_loop.tile"(%a, %b) <{guard = #fuser_loop.constraints<[], () -> ()>, once = #fuser_loop.parallel_types<[]>, operandSegmentSizes = array<i32: 1, 1, 0>,
      reads = [#scalar], replicated = #fuser_loop.parallel_types<[]>, roots = affine_map<() -> ()>,
      step = #fuser_loop.step<element>, writes = [#scalar]}> ({
  ^bb0(%e: tensor<f32>):
    %0 = "fuser.exp"(%e) : (tensor<f32>) -> tensor<f32>
    "fuser_loop.yield"(%e) : (tensor<f32>) -> ()
  }) : (!r, !r) -> ()
}

// -----

#scalar = #fuser_loop.access<() -> (), guard = <[], () -> ()>, chunk = 0, alignment = 0, clamped = false, kept = false, follows = <[]>>
!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @nothing_yielded(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected the op to take all arguments, in order, and its results to be yielded}}
  "fuser_loop.tile"(%a, %b) <{guard = #fuser_loop.constraints<[], () -> ()>, once = #fuser_loop.parallel_types<[]>, operandSegmentSizes = array<i32: 1, 1, 0>,
      reads = [#scalar], replicated = #fuser_loop.parallel_types<[]>, roots = affine_map<() -> ()>,
      step = #fuser_loop.step<element>, writes = [#scalar]}> ({
  ^bb0(%e: tensor<f32>):
    "fuser_loop.yield"() : () -> ()
  }) : (!r, !r) -> ()
}

// -----

!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @combined_over(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r
  // expected-error @+1 {{expected thread or block types to combine over}}
  "fuser_loop.combine"(%a) <{lanes = 1 : i64, over = #fuser_loop.parallel_types<[]>}> ({
  ^bb0(%e: tensor<?xf32>):
    %0 = "fuser.sum"(%e) <{dims = array<i64: 0>}> : (tensor<?xf32>) -> tensor<f32>
    "fuser_loop.yield"(%0) : (tensor<f32>) -> ()
  }) : (!r) -> ()
}

// -----

!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @combined_shapes(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r4
  // expected-error @+1 {{expected accumulators of one shape}}
  "fuser_loop.combine"(%a, %b) <{lanes = 1 : i64, over = #fuser_loop.parallel_types<[thread_x]>}> ({
  ^bb0(%e: tensor<?xf32>):
    %0:2 = "fuser.var_mean"(%e) <{correction = 0 : i64, dims = array<i64: 0>}> : (tensor<?xf32>) -> (tensor<f32>, tensor<f32>)
    "fuser_loop.yield"(%0#0, %0#1) : (tensor<f32>, tensor<f32>) -> ()
  }) : (!r, !r4) -> ()
}

// -----

fuser_loop.kernel @no_copies(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected the circular buffers whose copies are waited for}}
  "fuser_loop.wait_copies"() <{pending = 1 : i64}> : () -> ()
}

// -----

!r = !fuser_loop.buffer<f32, register>
!r4 = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @scanned_shapes(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  %b = fuser_loop.buffer : !r4
  // expected-error @+1 {{expected buffers of one shape}}
  "fuser_loop.scan"(%a, %b) <{equal = #fuser_loop.parallel_types<[]>, lanes = 1 : i64, over = #fuser_loop.parallel_types<[thread_x]>}> ({
  ^bb0(%e: tensor<?xf32>):
    %0 = "fuser.cumsum"(%e) <{dim = 0 : i64}> : (tensor<?xf32>) -> tensor<?xf32>
    "fuser_loop.yield"(%0) : (tensor<?xf32>) -> ()
  }) : (!r, !r4) -> ()
}

// -----

fuser_loop.kernel @places(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %flags = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  %memory = fuser_loop.buffer [symbol(%n)] : !fuser_loop.buffer<?xf32, global>
  // expected-error @+1 {{expected one place, but got 2}}
  "fuser_loop.publish"(%flags, %memory) <{follows = #fuser_loop.parallel_types<[]>, guard = #fuser_loop.constraints<[], () -> ()>, operandSegmentSizes = array<i32: 1, 1, 0>,
      place = affine_map<() -> (0, 0)>}> : (!fuser_loop.buffer<?xi32, global>, !fuser_loop.buffer<?xf32, global>) -> ()
}

// -----

fuser_loop.kernel @awaited_places(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %flags = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  %memory = fuser_loop.buffer [symbol(%n)] : !fuser_loop.buffer<?xf32, global>
  // expected-error @+1 {{expected one place, but got 0}}
  "fuser_loop.await"(%flags) <{guard = #fuser_loop.constraints<[], () -> ()>, place = affine_map<() -> ()>}> : (!fuser_loop.buffer<?xi32, global>) -> ()
}

// -----

fuser_loop.kernel @guard(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %flags = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  %memory = fuser_loop.buffer [symbol(%n)] : !fuser_loop.buffer<?xf32, global>
  // expected-error @+1 {{expected a guard over the operands of the op}}
  "fuser_loop.await"(%flags) <{guard = #fuser_loop.constraints<[], (d0) -> ()>, place = affine_map<() -> (0)>}> : (!fuser_loop.buffer<?xi32, global>) -> ()
}

// -----

fuser_loop.kernel @bounds(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %flags = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  %memory = fuser_loop.buffer [symbol(%n)] : !fuser_loop.buffer<?xf32, global>
  // expected-error @+1 {{expected two bounds for each of 1 constraints, but got 1}}
  "fuser_loop.await"(%flags) <{guard = #fuser_loop.constraints<[less], () -> (0)>, place = affine_map<() -> (0)>}> : (!fuser_loop.buffer<?xi32, global>) -> ()
}

// -----

// expected-error @+1 {{expected a binding of argument 0}}
"fuser_loop.kernel"() <{assumptions = #fuser_loop.constraints<[], ()[s0] -> ()>, bindings = [unit], index_bits = 64 : i64,
    stage = #fuser_loop.stage<loops>, sym_name = "no_binding"}> ({
^bb0(%n: index):
}) : () -> ()

// -----

// expected-error @+1 {{expected a binding for each of 1 arguments, but got 0}}
"fuser_loop.kernel"() <{assumptions = #fuser_loop.constraints<[], ()[s0] -> ()>, bindings = [], index_bits = 64 : i64,
    stage = #fuser_loop.stage<loops>, sym_name = "too_few_bindings"}> ({
^bb0(%n: index):
}) : () -> ()

// -----

// expected-error @+1 {{expected a binding for each of 1 arguments, but got 2}}
"fuser_loop.kernel"() <{assumptions = #fuser_loop.constraints<[], ()[s0] -> ()>, bindings = [#fuser_loop.binding<#fuser_gpu.size<0, 0>, strides = ()[s0] -> (), alignment = 0, readonly = false, noalias = false>, #fuser_loop.binding<#fuser_gpu.size<0, 0>, strides = ()[s0] -> (), alignment = 0, readonly = false, noalias = false>], index_bits = 64 : i64,
    stage = #fuser_loop.stage<loops>, sym_name = "too_many_bindings"}> ({
^bb0(%n: index):
}) : () -> ()

// -----

// expected-error @+1 {{expected assumptions over the 1 index arguments}}
"fuser_loop.kernel"() <{assumptions = #fuser_loop.constraints<[], () -> ()>, bindings = [#fuser_loop.binding<#fuser_gpu.size<0, 0>, strides = ()[s0] -> (), alignment = 0, readonly = false, noalias = false>], index_bits = 64 : i64,
    stage = #fuser_loop.stage<loops>, sym_name = "assumptions"}> ({
^bb0(%n: index):
}) : () -> ()

// -----

// expected-error @+1 {{expected assumptions over the 1 index arguments}}
"fuser_loop.kernel"() <{assumptions = #fuser_loop.constraints<[], (d0)[s0] -> ()>, bindings = [#fuser_loop.binding<#fuser_gpu.size<0, 0>, strides = ()[s0] -> (), alignment = 0, readonly = false, noalias = false>], index_bits = 64 : i64,
    stage = #fuser_loop.stage<loops>, sym_name = "assumed_dims"}> ({
^bb0(%n: index):
}) : () -> ()

// -----

// expected-error @+1 {{expected register, shared or global, but got constant}}
func.func private @space(!fuser_loop.buffer<4xf32, constant>)

// -----

fuser_loop.kernel @published_types(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %flags = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  %memory = fuser_loop.buffer [symbol(%n)] : !fuser_loop.buffer<?xf32, global>
  // expected-error @+1 {{expected 2 types of buffers, but got 1}}
  fuser_loop.publish %flags[0] of %memory : !fuser_loop.buffer<?xi32, global>
}
