// RUN: fuser-opt %s -fuser-convert-host-to-gpu -split-input-file -verify-diagnostics
// Kernels that refer to operands and dimensions that their launches do not have.

gpu.module @k {
  gpu.func @k(%x: index {fuser_gpu.bind = #fuser_gpu.size<0, 2>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected #fuser_gpu.size<0, 2> to name one of 1 dimensions}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k(%x: index {fuser_gpu.bind = #fuser_gpu.stride<0, 1>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected #fuser_gpu.stride<0, 1> to name one of 1 dimensions}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected an operand for #fuser_gpu.pointer<1>, but there is none}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @f(%x: index) {
  // expected-error @below {{expected a tensor for #fuser_gpu.pointer<0>, but got 'index'}}
  fuser.launch @k::@k ins(%x : index)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k(%x: f32 {fuser_gpu.bind = #fuser_gpu.scalar<0>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<f32>) {
  // expected-error @below {{expected a scalar for #fuser_gpu.scalar<0>, but got 'tensor<f32>'}}
  fuser.launch @k::@k ins(%x : tensor<f32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<()[s0] -> (s0, 1, 1)>, symbols = [#fuser_gpu.scalar<0>]>} {
    gpu.return
  }
}
fuser.host @f(%x: f32) {
  // expected-error @below {{expected an integer for #fuser_gpu.scalar<0>, but got 'f32'}}
  fuser.launch @k::@k ins(%x : f32)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k(%x: memref<f32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected argument 0 of @k::@k to have 'fuser_gpu.bind'}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>,
                  fuser.facts = [#fuser.fact<divisible 0[1], 4>]} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected #fuser.fact<divisible 0[1], 4> to name one of 1 dimensions}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>,
                  fuser.facts = [#fuser.fact<equal 0[0], 1[0]>]} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected an operand for #fuser.fact<equal 0[0], 1[0]>, but there is none}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>,
                  fuser.facts = [#fuser.fact<aligned 0, 16>]} {
    gpu.return
  }
}
fuser.host @f(%x: index) {
  // expected-error @below {{expected a tensor for #fuser.fact<aligned 0, 16>, but got 'index'}}
  fuser.launch @k::@k ins(%x : index)
  fuser.return
}

// -----

gpu.module @k {
  gpu.func @k() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>,
                  fuser.facts = [1]} {
    gpu.return
  }
}
fuser.host @f(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'fuser.facts' of @k::@k to hold facts, but got 1 : i64}}
  fuser.launch @k::@k ins(%x : tensor<4xf32>)
  fuser.return
}
