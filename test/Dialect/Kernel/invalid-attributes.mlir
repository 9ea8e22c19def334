// RUN: fuser-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected 'fuser_gpu.index_bits' to be 32 : i32 or 64 : i32, but got 16 : i32}}
gpu.module @m attributes {fuser_gpu.index_bits = 16 : i32} {
}

// -----

// expected-error @+1 {{expected 'fuser_gpu.index_bits' on a gpu.module only}}
module attributes {fuser_gpu.index_bits = 32 : i32} {
}

// -----

// expected-error @+1 {{expected an attribute of kernel IR, but got 'fuser_gpu.lunch'}}
module attributes {fuser_gpu.lunch} {
}

// -----

// expected-error @+1 {{expected 'fuser_gpu.launch' on a gpu.func kernel only}}
func.func private @f() attributes {fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>}

// -----

gpu.module @m {
  // expected-error @+1 {{expected known_block_size in addition to 'fuser_gpu.launch'}}
  gpu.func @f() kernel attributes {fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected argument 0 bound to #fuser_gpu.pointer<0> to be a memref, but got 'index'}}
  gpu.func @f(%x: index {fuser_gpu.bind = #fuser_gpu.pointer<0>}) kernel { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected argument 0 bound to #fuser_gpu.size<0, 0> to be an index, but got 'i32'}}
  gpu.func @f(%x: i32 {fuser_gpu.bind = #fuser_gpu.size<0, 0>}) kernel { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected argument 0 to name one of 0 workspaces of the launch, but got 1}}
  gpu.func @f(%x: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<1, zeroed = true>}) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected 'fuser_gpu.readonly' on a memref, but argument 0 is 'f32'}}
  gpu.func @f(%x: f32 {fuser_gpu.readonly}) kernel { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected 'fuser_gpu.align' to be a power of two of type i64, but got 12 : i64}}
  gpu.func @f(%x: memref<f32> {fuser_gpu.align = 12 : i64}) kernel { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected an argument attribute of kernel IR, but got 'fuser_gpu.writeonly'}}
  gpu.func @f(%x: memref<f32> {fuser_gpu.writeonly}) kernel { gpu.return }
}

// -----

// expected-error @+1 {{expected the dimension to be at least 0, but got -1}}
module attributes {test.a = #fuser_gpu.size<0, -1>} {}

// -----

// expected-error @+1 {{expected 'grid' to have 3 results, but got 1}}
module attributes {test.a = #fuser_gpu.launch<grid = affine_map<() -> (1)>>} {}

// -----

// expected-error @+1 {{expected 'grid' to have 1 symbols, as many as 'symbols', but got 0}}
module attributes {test.a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, symbols = [#fuser_gpu.size<0, 0>]>} {}

// -----

// expected-error @+1 {{expected 'symbols' to hold sizes, strides and scalars, but got #fuser_gpu.pointer<0>}}
module attributes {test.a = #fuser_gpu.launch<grid = affine_map<()[s0] -> (s0, 1, 1)>, symbols = [#fuser_gpu.pointer<0>]>} {}

// -----

// expected-error @+1 {{expected 'cluster' to have 3 sizes, but got 1}}
module attributes {test.a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, cluster = [2]>} {}

// -----

// expected-error @+1 {{expected 'grid'}}
module attributes {test.a = #fuser_gpu.launch<cooperative = true>} {}

// -----

// expected-error @+1 {{min_blocks_per_sm or parts, but got 'smen'}}
module attributes {test.a = #fuser_gpu.launch<smen = affine_map<() -> (1)>>} {}

// -----

// expected-error @+1 {{expected 'cooperative' once}}
module attributes {test.a = #fuser_gpu.launch<cooperative = true, cooperative = true>} {}

// -----

gpu.module @m {
  // expected-error @+1 {{expected 'fuser_gpu.launch' to be a #fuser_gpu.launch, but got 1 : i64}}
  gpu.func @f() kernel attributes {fuser_gpu.launch = 1 : i64} { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected argument 0 bound to #fuser_gpu.workspace<0, zeroed = false> to be a memref, but got 'index'}}
  gpu.func @f(%x: index {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = false>}) kernel { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected argument 0 to be bound to a pointer, size, stride, scalar, workspace, tensor map or part, but got 1 : i64}}
  gpu.func @f(%x: index {fuser_gpu.bind = 1 : i64}) kernel { gpu.return }
}

// -----

// expected-error @+1 {{expected 'fuser_gpu.noalias' on arguments of a gpu.func only}}
func.func @g(%x: memref<4xf32> {fuser_gpu.noalias}) { return }

// -----

gpu.module @m {
  // expected-error @+1 {{expected 'fuser_gpu.noalias' to be a unit attribute, but got 1 : i64}}
  gpu.func @f(%x: memref<4xf32> {fuser_gpu.noalias = 1 : i64}) kernel { gpu.return }
}

// -----

// expected-error @+1 {{expected the operand to be at least 0, but got -1}}
#a = #fuser_gpu.size<-1, 0>

// -----

// expected-error @+1 {{expected the operand to be at least 0, but got -1}}
#a = #fuser_gpu.stride<-1, 0>

// -----

// expected-error @+1 {{expected 'grid' to have no dimensions, but got 1}}
#a = #fuser_gpu.launch<grid = affine_map<(d0) -> (d0, 1, 1)>>

// -----

// expected-error @+1 {{expected 'workspaces' to have 1 results, but got 2}}
#a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, workspaces = [affine_map<() -> (1, 2)>]>

// -----

// expected-error @+1 {{expected sizes of 'cluster' to be at least 1, but got 0}}
#a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, cluster = [2, 0, 1]>

// -----

// expected-error @+1 {{expected 'min_blocks_per_sm' to be at least 1, but got 0}}
#a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, min_blocks_per_sm = 0>

// -----

// expected-error @+1 {{expected true or false, but got 'perhaps'}}
#a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, cooperative = perhaps>

// -----

// expected-error @+1 {{expected valid keyword}}
#a = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, cooperative = 1>

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
#a = #fuser_gpu.launch<grid = 1>

// -----

// expected-error @+1 {{expected '='}}
#a = #fuser_gpu.launch<grid>

// -----

// expected-error @+1 {{expected 'loops' to hold numbers of loops, but got -1}}
#a = #fuser_gpu.resolved_ids<loops = [0, -1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>

// -----

// expected-error @+1 {{expected 'replicated' to hold positions of the 1 loops, but got 1}}
#a = #fuser_gpu.resolved_ids<loops = [0], broadcasts = [], extents = () -> (), symbols = [], replicated = [1], once = []>

// -----

// expected-error @+1 {{expected 'replicated' to hold positions of the 1 loops, but got -1}}
#a = #fuser_gpu.resolved_ids<loops = [0], broadcasts = [], extents = () -> (), symbols = [], replicated = [-1], once = []>

// -----

// expected-error @+1 {{expected 'symbols' to hold sizes and scalars, but got #fuser_gpu.stride<0, 0>}}
#a = #fuser_gpu.resolved_ids<loops = [0], broadcasts = [], extents = () -> (), symbols = [#fuser_gpu.stride<0, 0>], replicated = [], once = []>

// -----

// Fewer arguments of the body than attributes of arguments.
"gpu.module"() <{sym_name = "fewer"}> ({
  // expected-error @+1 {{expected at least 1 arguments to body region}}
  "gpu.func"() <{arg_attrs = [{fuser_gpu.bind = #fuser_gpu.pointer<0>}], function_type = (memref<f32>) -> ()}> ({
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "fewer", workgroup_attributions = 0 : i64} : () -> ()
}) : () -> ()
