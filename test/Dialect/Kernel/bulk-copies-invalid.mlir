// RUN: fuser-opt %s -split-input-file -verify-diagnostics

!f = memref<4xi64>
func.func @global_barrier(%f: !f, %i: index) {
  // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<4xi64>'}}
  fuser_gpu.mbarrier_init %f[%i] count 1 : !f
  return
}

// -----

!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @no_arrivals(%f: !f, %i: index) {
  // expected-error @+1 {{expected a count of 1 to 1048575 arrivals, but got 0}}
  fuser_gpu.mbarrier_init %f[%i] count 0 : !f
  return
}

// -----

!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @indices(%f: !f) {
  // expected-error @+1 {{expected 1 indices for 'memref<4xi64, #gpu.address_space<workgroup>>', but got 0}}
  fuser_gpu.mbarrier_init %f[] count 1 : !f
  return
}

// -----

!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @odd_bytes(%f: !f, %i: index) {
  %c24 = arith.constant 24 : index
  // expected-error @+1 {{expected a multiple of 16 bytes from 0 to 1048575, but got 24}}
  fuser_gpu.mbarrier_expect %f[%i] bytes %c24 : !f
  return
}

// -----

!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @negative_phase(%f: !f, %i: index) {
  %phase = arith.constant -1 : index
  // expected-error @+1 {{expected a phase of at least 0, but got -1}}
  fuser_gpu.mbarrier_wait %f[%i] phase %phase : !f
  return
}

// -----

!x = memref<?xf32>
!s = memref<64xf32, #gpu.address_space<workgroup>>
!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @odd_size(%x: !x, %s: !s, %f: !f, %i: index) {
  %c6 = arith.constant 6 : index
  // expected-error @+1 {{expected a multiple of 16 bytes from 16 to 1048575, but got 24}}
  fuser_gpu.copy_bulk %c6 of %x[%i] to %s[%i] signal %f[%i] : !x, !s, !f
  return
}

// -----

!x = memref<?xf32>
!s = memref<64xf32, #gpu.address_space<workgroup>>
!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @nothing(%x: !x, %s: !s, %f: !f, %i: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expected a multiple of 16 bytes from 16 to 1048575, but got 0}}
  fuser_gpu.copy_bulk %c0 of %x[%i] to %s[%i] signal %f[%i] : !x, !s, !f
  return
}

// -----

!x = memref<?xf32, strided<[2]>>
!s = memref<64xf32, #gpu.address_space<workgroup>>
!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @strides(%x: !x, %s: !s, %f: !f, %i: index, %n: index) {
  // expected-error @+1 {{expected the last stride to be 1 for several elements, but got 'memref<?xf32, strided<[2]>>'}}
  fuser_gpu.copy_bulk %n of %x[%i] to %s[%i] signal %f[%i] : !x, !s, !f
  return
}

// -----

!x = memref<?xf32>
!s = memref<64xi32, #gpu.address_space<workgroup>>
!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @elements(%x: !x, %s: !s, %f: !f, %i: index, %n: index) {
  // expected-error @+1 {{expected elements of type 'f32', but got 'i32'}}
  fuser_gpu.copy_bulk %n of %x[%i] to %s[%i] signal %f[%i] : !x, !s, !f
  return
}

// -----

!x = memref<?xf32>
!f = memref<4xi64, #gpu.address_space<workgroup>>
func.func @to_global(%x: !x, %f: !f, %i: index, %n: index) {
  // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<?xf32>'}}
  fuser_gpu.copy_bulk %n of %x[%i] to %x[%i] signal %f[%i] : !x, !x, !f
  return
}
