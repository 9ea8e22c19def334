// RUN: fuser-opt %s -split-input-file -verify-diagnostics

func.func @global(%x: memref<8xf32>, %v: f32, %i: index) {
  // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<8xf32>'}}
  fuser_gpu.peer_store %v, %x[%i] of %i : f32, memref<8xf32>
  return
}

// -----

func.func @indices(%x: memref<8x2xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 2 indices for 'memref<8x2xf32, #gpu.address_space<workgroup>>', but got 1}}
  %0 = fuser_gpu.peer_load %x[%i] of %i : memref<8x2xf32, #gpu.address_space<workgroup>>, f32
  return
}

// -----

func.func @elements(%x: memref<8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected elements of type 'f32', but got 'i32'}}
  %0 = fuser_gpu.peer_load %x[%i] of %i : memref<8xf32, #gpu.address_space<workgroup>>, i32
  return
}

// -----

gpu.module @m {
  // expected-note @+1 {{the launch is}}
  gpu.func @no_cluster() kernel attributes {known_block_size = array<i32: 32, 1, 1>,
      fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (8, 1, 1)>, symbols = []>} {
    // expected-error @+1 {{expected a launch in clusters}}
    fuser_gpu.cluster_arrive
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-note @+1 {{the launch is}}
  gpu.func @rank(%v: f32) workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
      fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (8, 1, 1)>, symbols = [], cluster = [4, 1, 1]>} {
    %c4 = arith.constant 4 : index
    // expected-error @+1 {{expected a rank less than 4, the number of blocks of a cluster, but got 4}}
    fuser_gpu.peer_store %v, %slots[%c4] of %c4 : f32, memref<8xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
