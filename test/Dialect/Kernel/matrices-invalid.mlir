// RUN: fuser-opt %s -split-input-file -verify-diagnostics

func.func @global(%x: memref<64xbf16>, %i: index) {
  // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<64xbf16>'}}
  %0 = fuser_gpu.ldmatrix %x[%i] : memref<64xbf16> -> vector<2xbf16>
  return
}

// -----

func.func @indices(%s: memref<8x8xbf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 2 indices for 'memref<8x8xbf16, #gpu.address_space<workgroup>>', but got 1}}
  %0 = fuser_gpu.ldmatrix %s[%i] : memref<8x8xbf16, #gpu.address_space<workgroup>> -> vector<2xbf16>
  return
}

// -----

func.func @stride(%s: memref<64xbf16, strided<[2]>, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected the last stride to be 1 for rows of a matrix}}
  %0 = fuser_gpu.ldmatrix %s[%i] : memref<64xbf16, strided<[2]>, #gpu.address_space<workgroup>> -> vector<2xbf16>
  return
}

// -----

func.func @element(%s: memref<64xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected elements of 16 bits, but got 'f32'}}
  %0 = fuser_gpu.ldmatrix %s[%i] : memref<64xf32, #gpu.address_space<workgroup>> -> vector<2xf32>
  return
}

// -----

func.func @matrices(%s: memref<64xbf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 2, 4 or 8 elements of type 'bf16', those of one, two or four matrices, but got 'vector<6xbf16>'}}
  %0 = fuser_gpu.ldmatrix %s[%i] : memref<64xbf16, #gpu.address_space<workgroup>> -> vector<6xbf16>
  return
}

// -----

func.func @other_element(%s: memref<64xbf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 2, 4 or 8 elements of type 'bf16', those of one, two or four matrices, but got 'vector<2xf16>'}}
  %0 = fuser_gpu.ldmatrix %s[%i] : memref<64xbf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  return
}

// -----

func.func @lhs(%a: vector<8xf32>, %b: vector<4xf32>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 4 or 8 elements of f16 or bf16 of the left operand, but got 'vector<8xf32>'}}
  %0 = fuser_gpu.mma %a, %b, %c : vector<8xf32>, vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @rhs(%a: vector<8xbf16>, %b: vector<2xbf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 'vector<4xbf16>' as right operand of 'vector<8xbf16>', but got 'vector<2xbf16>'}}
  %0 = fuser_gpu.mma %a, %b, %c : vector<8xbf16>, vector<2xbf16>, vector<4xf32>
  return
}

// -----

func.func @mixed(%a: vector<8xbf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error @+1 {{expected 'vector<4xbf16>' as right operand of 'vector<8xbf16>', but got 'vector<4xf16>'}}
  %0 = fuser_gpu.mma %a, %b, %c : vector<8xbf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

func.func @accumulator(%a: vector<8xbf16>, %b: vector<4xbf16>, %c: vector<4xbf16>) {
  // expected-error @+1 {{expected an accumulator of 'vector<4xf32>', but got 'vector<4xbf16>'}}
  %0 = fuser_gpu.mma %a, %b, %c : vector<8xbf16>, vector<4xbf16>, vector<4xbf16>
  return
}

// -----

// expected-error @+1 {{expected 16 x 8 x 16 or 16 x 8 x 8 of f16 or bf16, but got 16 x 8 x 16 of 'f32'}}
func.func @attribute() attributes {a = #fuser_gpu.mma<16, 8, 16, f32, transposed = [false, false]>} {
  return
}

// -----

func.func @store_to_global(%x: memref<64xbf16>, %i: index, %a: vector<2xbf16>) {
  // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<64xbf16>'}}
  fuser_gpu.stmatrix %a, %x[%i] : vector<2xbf16>, memref<64xbf16>
  return
}

// -----

func.func @store_indices(%s: memref<8x8xbf16, #gpu.address_space<workgroup>>, %i: index, %a: vector<2xbf16>) {
  // expected-error @+1 {{expected 2 indices for 'memref<8x8xbf16, #gpu.address_space<workgroup>>', but got 1}}
  fuser_gpu.stmatrix %a, %s[%i] : vector<2xbf16>, memref<8x8xbf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @store_stride(%s: memref<64xbf16, strided<[2]>, #gpu.address_space<workgroup>>, %i: index, %a: vector<2xbf16>) {
  // expected-error @+1 {{expected the last stride to be 1 for rows of a matrix}}
  fuser_gpu.stmatrix %a, %s[%i] : vector<2xbf16>, memref<64xbf16, strided<[2]>, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @store_element(%s: memref<64xf32, #gpu.address_space<workgroup>>, %i: index, %a: vector<2xf32>) {
  // expected-error @+1 {{expected elements of 16 bits, but got 'f32'}}
  fuser_gpu.stmatrix %a, %s[%i] : vector<2xf32>, memref<64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @store_matrices(%s: memref<64xbf16, #gpu.address_space<workgroup>>, %i: index, %a: vector<6xbf16>) {
  // expected-error @+1 {{expected 2, 4 or 8 elements of type 'bf16', those of one, two or four matrices, but got 'vector<6xbf16>'}}
  fuser_gpu.stmatrix %a, %s[%i] : vector<6xbf16>, memref<64xbf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @store_other_element(%s: memref<64xbf16, #gpu.address_space<workgroup>>, %i: index, %a: vector<2xf16>) {
  // expected-error @+1 {{expected 2, 4 or 8 elements of type 'bf16', those of one, two or four matrices, but got 'vector<2xf16>'}}
  fuser_gpu.stmatrix %a, %s[%i] : vector<2xf16>, memref<64xbf16, #gpu.address_space<workgroup>>
  return
}

// -----

// expected-error @+1 {{expected 1, 2 or 4 matrices of elements of 16 bits, but got 3 of 'bf16'}}
func.func @attribute_of_stores() attributes {a = #fuser_gpu.stmatrix<3, bf16, transposed = false>} {
  return
}

// -----

// expected-error @+1 {{expected 1, 2 or 4 matrices of elements of 16 bits, but got 4 of 'f32'}}
func.func @element_of_stores() attributes {a = #fuser_gpu.stmatrix<4, f32, transposed = false>} {
  return
}
