// RUN: fuser-opt %s -split-input-file -verify-diagnostics

func.func @shuffle_width(%x: f32, %o: i32) {
  // expected-error @+1 {{expected the width to be a power of two from 2 to 32, but got 12}}
  %0 = fuser_gpu.shuffle xor %x, %o width 12 : f32
  return
}

// -----

func.func @shuffle_more_than_a_warp(%x: f32, %o: i32) {
  // expected-error @+1 {{expected the width to be a power of two from 2 to 32, but got 64}}
  %0 = fuser_gpu.shuffle xor %x, %o width 64 : f32
  return
}

// -----

func.func @shuffle_of_one_lane(%x: f32, %o: i32) {
  // expected-error @+1 {{expected the width to be a power of two from 2 to 32, but got 1}}
  %0 = fuser_gpu.shuffle xor %x, %o width 1 : f32
  return
}

// -----

func.func @shuffle_offset(%x: f32) {
  %c8 = arith.constant 8 : i32
  // expected-error @+1 {{expected an offset less than the width 8, but got 8}}
  %0 = fuser_gpu.shuffle xor %x, %c8 width 8 : f32
  return
}

// -----

func.func @shuffle_value(%x: i128, %o: i32) {
  // expected-error @+1 {{expected the value to be a scalar of up to 64 bits or a vector of one dimension of such, but got 'i128'}}
  %0 = fuser_gpu.shuffle xor %x, %o width 32 : i128
  return
}

// -----

func.func @shuffle_rank(%x: vector<2x2xf32>, %o: i32) {
  // expected-error @+1 {{or a vector of one dimension of such, but got 'vector<2x2xf32>'}}
  %0 = fuser_gpu.shuffle xor %x, %o width 32 : vector<2x2xf32>
  return
}

// -----

func.func @approx_type(%x: f64) {
  // expected-error @+1 {{operand #0 must be f32 or a vector of f32, but got 'f64'}}
  %0 = fuser_gpu.approx exp2 %x : f64
  return
}

// -----

func.func @load_indices(%x: memref<?xf32>) {
  // expected-error @+1 {{expected 1 indices for 'memref<?xf32>', but got 0}}
  %0 = fuser_gpu.load %x[] cache none : memref<?xf32>, f32
  return
}

// -----

func.func @load_space(%x: memref<4xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected global memory (no memory space)}}
  %0 = fuser_gpu.load %x[%i] cache none : memref<4xf32, #gpu.address_space<workgroup>>, f32
  return
}

// -----

func.func @load_element(%x: memref<?xf32>, %i: index) {
  // expected-error @+1 {{expected elements of type 'f32', but got 'f16'}}
  %0 = fuser_gpu.load %x[%i] cache none : memref<?xf32>, vector<2xf16>
  return
}

// -----

func.func @load_bits(%x: memref<?xi1>, %i: index) {
  // expected-error @+1 {{expected elements of whole bytes, but got 'i1'}}
  %0 = fuser_gpu.load %x[%i] cache none : memref<?xi1>, i1
  return
}

// -----

func.func @load_stride(%x: memref<?xf32, strided<[?]>>, %i: index) {
  // expected-error @+1 {{expected the last stride to be 1 for a vector}}
  %0 = fuser_gpu.load %x[%i] cache none : memref<?xf32, strided<[?]>>, vector<2xf32>
  return
}

// -----

func.func @load_alignment(%x: memref<?xf32>, %i: index) {
  // expected-error @+1 {{expected the alignment to be a power of two, but got 12}}
  %0 = fuser_gpu.load %x[%i] cache none align 12 : memref<?xf32>, f32
  return
}

// -----

func.func @atomic_element(%x: memref<?xf64>, %v: vector<2xf64>, %i: index) {
  // expected-error @+1 {{expected a vector of 2 or 4 elements of f32, but got 'vector<2xf64>'}}
  fuser_gpu.atomic_add %v, %x[%i] align 16 : vector<2xf64>, memref<?xf64>
  return
}

// -----

func.func @atomic_alignment(%x: memref<?xf32>, %v: vector<4xf32>, %i: index) {
  // expected-error @+1 {{expected an alignment of at least 16 bytes, but got 8}}
  fuser_gpu.atomic_add %v, %x[%i] align 8 : vector<4xf32>, memref<?xf32>
  return
}

// -----

func.func @store_hint(%x: memref<?xf32>, %v: f32, %i: index) {
  // expected-error @+1 {{expected a hint for stores (none, cg, cs, no_allocate, evict_first), but got nc}}
  fuser_gpu.store %v, %x[%i] cache nc : f32, memref<?xf32>
  return
}

// -----

func.func @counter_type(%c: memref<i64>, %n: i32) {
  // expected-error @+1 {{operand #0 must be memref of 32-bit signless integer values, but got 'memref<i64>'}}
  %0 = fuser_gpu.ticket %c[], %n : memref<i64>
  return
}

// -----

func.func @awaited_indices(%c: memref<?xi32>) {
  // expected-error @+1 {{expected 1 indices for 'memref<?xi32>', but got 0}}
  fuser_gpu.await %c[] : memref<?xi32>
  return
}

// -----

func.func @counter_indices(%c: memref<?xi32>, %n: i32) {
  // expected-error @+1 {{expected 1 indices for 'memref<?xi32>', but got 0}}
  %0 = fuser_gpu.last_block %c[], %n : memref<?xi32>
  return
}

// -----

gpu.module @m {
  // expected-note @+1 {{the launch is #fuser_gpu.launch<}}
  gpu.func @not_cooperative(%c: memref<i32>) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    // expected-error @+1 {{expected a cooperative launch}}
    fuser_gpu.grid_sync %c[] : memref<i32>
    gpu.return
  }
}

// -----

func.func @load_unranked(%x: memref<*xf32>) {
  // expected-error @+1 {{operand #0 must be memref of any type values, but got 'memref<*xf32>'}}
  %0 = "fuser_gpu.load"(%x) <{hint = #fuser_gpu<cache_hint none>}> : (memref<*xf32>) -> f32
  return
}

// -----

func.func @load_matrix(%x: memref<4xf32>, %i: index) {
  // expected-error @+1 {{expected a vector of one dimension, but got 'vector<2x2xf32>'}}
  %0 = fuser_gpu.load %x[%i] cache none : memref<4xf32>, vector<2x2xf32>
  return
}

// -----

func.func @sync_indices(%c: memref<?xi32>) {
  // expected-error @+1 {{expected 1 indices for 'memref<?xi32>', but got 0}}
  fuser_gpu.grid_sync %c[] : memref<?xi32>
  return
}
