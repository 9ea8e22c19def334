// RUN: fuser-opt %s -split-input-file -verify-diagnostics

func.func @to_global(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<8xf32>'}}
  fuser_gpu.copy_async 4 of %x[%i] to %x[%i] : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @from_shared(%s: memref<8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected global memory (no memory space), but got 'memref<8xf32, #gpu.address_space<workgroup>>'}}
  fuser_gpu.copy_async 4 of %s[%i] to %s[%i] : memref<8xf32, #gpu.address_space<workgroup>>, memref<8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @bytes(%x: memref<8xbf16>, %s: memref<8xbf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 4, 8 or 16 bytes, but got 1 elements of 2 bytes}}
  fuser_gpu.copy_async 1 of %x[%i] to %s[%i] : memref<8xbf16>, memref<8xbf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @elements(%x: memref<8xf32>, %s: memref<8xi32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected elements of type 'f32', but got 'i32'}}
  fuser_gpu.copy_async 1 of %x[%i] to %s[%i] : memref<8xf32>, memref<8xi32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @strides(%x: memref<8xf32, strided<[2]>>, %s: memref<8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected the last stride to be 1 for several elements, but got 'memref<8xf32, strided<[2]>>'}}
  fuser_gpu.copy_async 2 of %x[%i] to %s[%i] : memref<8xf32, strided<[2]>>, memref<8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @indices(%x: memref<8xf32>, %s: memref<2x8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @+1 {{expected 2 indices for 'memref<2x8xf32, #gpu.address_space<workgroup>>', but got 1}}
  fuser_gpu.copy_async 2 of %x[%i] to %s[%i] : memref<8xf32>, memref<2x8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @pending() {
  // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
  "fuser_gpu.copy_wait"() {pending = -1 : i64} : () -> ()
  return
}
