// RUN: fuser-opt %s -split-input-file -verify-diagnostics

func.func @global(%a: memref<64xbf16>, %s: memref<64xbf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>, %i: index) {
  // expected-error @+1 {{expected the left operand in shared memory (address space workgroup), but got 'memref<64xbf16>'}}
  %0 = fuser_gpu.wgmma %a[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xbf16>, memref<64xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

func.func @indices(%s: memref<64xbf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>, %i: index) {
  // expected-error @+1 {{expected 1 indices for 'memref<64xbf16, #gpu.address_space<workgroup>>', but got 2}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i, %i] rows <128, transposed = false, pitch = 0>, %c : memref<64xbf16, #gpu.address_space<workgroup>>, memref<64xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

func.func @rank(%s: memref<8x8xbf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>, %i: index) {
  // expected-error @+1 {{expected one dimension with the stride 1}}
  %0 = fuser_gpu.wgmma %s[%i, %i] rows <128, transposed = false, pitch = 0>, %s[%i, %i] rows <128, transposed = false, pitch = 0>, %c : memref<8x8xbf16, #gpu.address_space<workgroup>>, memref<8x8xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

func.func @element(%s: memref<64xf32, #gpu.address_space<workgroup>>, %c: vector<4xf32>, %i: index) {
  // expected-error @+1 {{expected two operands of f16 or of bf16, but got 'memref<64xf32}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf32, #gpu.address_space<workgroup>>, memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

func.func @elements(%s: memref<64xf16, #gpu.address_space<workgroup>>, %t: memref<64xbf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>, %i: index) {
  // expected-error @+1 {{expected two operands of f16 or of bf16}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %t[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}

// -----

func.func @accumulator(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<132xf32>, %i: index) {
  // expected-error @+1 {{expected an accumulator of n / 2 elements of f32, with n a multiple of 8 up to 256, but got 'vector<132xf32>'}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<132xf32>
  return
}

// -----

func.func @columns(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<6xf32>, %i: index) {
  // expected-error @+1 {{expected an accumulator of n / 2 elements of f32}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<6xf32>
  return
}

// -----

func.func @accumulator_rank(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<2x32xf32>, %i: index) {
  // expected-error @+1 {{expected an accumulator of n / 2 elements of f32, with n a multiple of 8 up to 256, but got 'vector<2x32xf32>'}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<2x32xf32>
  return
}

// -----

func.func @accumulator_scalable(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<[64]xf32>, %i: index) {
  // expected-error @+1 {{expected an accumulator of n / 2 elements of f32, with n a multiple of 8 up to 256, but got 'vector<[64]xf32>'}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<[64]xf32>
  return
}

// -----

func.func @accumulator_element(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<64xf16>, %i: index) {
  // expected-error @+1 {{expected an accumulator of n / 2 elements of f32, with n a multiple of 8 up to 256, but got 'vector<64xf16>'}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<64xf16>
  return
}

// -----

func.func @pitch(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  // expected-error @+1 {{expected a pitch of the right operand, of which a row in memory has 64 of 128 elements}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = false, pitch = 0>, %s[%i] rows <128, transposed = true, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

func.func @no_pitch(%s: memref<64xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %i: index) {
  // expected-error @+1 {{expected no pitch of the left operand, of which a row in memory has 64 of 64 elements}}
  %0 = fuser_gpu.wgmma %s[%i] rows <128, transposed = true, pitch = 4096>, %s[%i] rows <128, transposed = false, pitch = 0>, %c : memref<64xf16, #gpu.address_space<workgroup>>, memref<64xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  return
}

// -----

// expected-error @+1 {{expected rows of 32, 64 or 128 bytes, but got 16}}
func.func private @bytes() attributes {rows = #fuser_gpu.rows<16, transposed = false, pitch = 0>}

// -----

// expected-error @+1 {{expected a pitch of 0 or, of transposed rows, a multiple of 512 elements, 8 rows, up to 130560, but got 100}}
func.func private @odd_pitch() attributes {rows = #fuser_gpu.rows<128, transposed = true, pitch = 100>}

// -----

// expected-error @+1 {{expected a pitch of 0 or, of transposed rows, a multiple of 512 elements, 8 rows, up to 130560, but got 512}}
func.func private @pitch_of_rows() attributes {rows = #fuser_gpu.rows<128, transposed = false, pitch = 512>}

// -----

// expected-error @+1 {{expected 64 x n x 16 of f16 or bf16, with n a multiple of 8 up to 256, but got 64 x 260 x 16 of 'bf16'}}
func.func private @shape() attributes {using = #fuser_gpu.wgmma<64, 260, 16, bf16, lhs = <128, transposed = false, pitch = 0>, rhs = <128, transposed = false, pitch = 0>>}

// -----

func.func @wait(%c: vector<4xf16>) {
  // expected-error @+1 {{expected results of fuser_gpu.wgmma, vectors of f32, but got 'vector<4xf16>'}}
  %0 = fuser_gpu.wgmma_wait 0 of %c : vector<4xf16>
  return
}

// -----

func.func @pending() {
  // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
  fuser_gpu.wgmma_wait 8
  return
}

// -----

func.func @registers_16() {
  // expected-error @+1 {{expected a multiple of 8 from 24 to 256 registers, but got 16}}
  fuser_gpu.set_max_registers decrease 16
  return
}

// -----

func.func @registers_264() {
  // expected-error @+1 {{expected a multiple of 8 from 24 to 256 registers, but got 264}}
  fuser_gpu.set_max_registers decrease 264
  return
}

// -----

func.func @registers_100() {
  // expected-error @+1 {{expected a multiple of 8 from 24 to 256 registers, but got 100}}
  fuser_gpu.set_max_registers decrease 100
  return
}
