// RUN: fuser-opt %s --split-input-file -verify-diagnostics
// One fault of fuser_gpu.part_argument, of its bindings or of a launch with parts per piece.

gpu.module @m {
gpu.func @not_consecutive(%x: memref<f32>, %n: index, %y: memref<f32>) kernel {
  %p = gpu.block_id x
  // expected-error @+1 {{expected consecutive arguments of the kernel}}
  %a = fuser_gpu.part_argument %p of %x, %y : memref<f32>
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @not_an_argument(%x: index) kernel {
  %p = gpu.block_id x
  // expected-error @+1 {{expected arguments of the kernel, but got}}
  %a = fuser_gpu.part_argument %p of %p : index
  gpu.return
}
}

// -----

gpu.module @m {
// expected-error @+1 {{expected argument 0 to name one of 1 parts of the launch, but got 1}}
gpu.func @no_such_part(%f: index {fuser_gpu.bind = #fuser_gpu.first_block<1>}) kernel
    attributes {known_block_size = array<i32: 1, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, parts = affine_map<() -> (1, 1, 1)>>} {
  gpu.return
}
}

// -----

gpu.module @m {
// expected-error @+1 {{expected the axis to be 0, 1 or 2, but got 3}}
gpu.func @no_such_axis(%f: index {fuser_gpu.bind = #fuser_gpu.part_grid<0, 3>}) kernel {
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @two_results() kernel attributes {known_block_size = array<i32: 1, 1, 1>,
    // expected-error @+1 {{expected 'parts' to have 3 results for each part, but got 2}}
    fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, parts = affine_map<() -> (1, 1)>>} {
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @cooperative() kernel attributes {known_block_size = array<i32: 1, 1, 1>,
    // expected-error @+1 {{expected a launch of several parts to be neither cooperative nor in clusters}}
    fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, cooperative = true, parts = affine_map<() -> (1, 1, 1)>>} {
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @two_types(%x: index, %y: i32) kernel {
  %p = gpu.block_id x
  // expected-error @+1 {{expected arguments of type 'index', but got 'i32'}}
  %a = "fuser_gpu.part_argument"(%p, %x, %y) : (index, index, i32) -> index
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @no_arguments() kernel {
  %p = gpu.block_id x
  // expected-error @+1 {{expected at least one argument of the kernel, but got none}}
  %a = "fuser_gpu.part_argument"(%p) : (index) -> index
  gpu.return
}
}
