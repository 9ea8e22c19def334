// RUN: fuser-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected a box of 1 to 5 dimensions, but got 6}}
func.func private @rank(!fuser_gpu.tensor_map<1x1x1x1x1x16xi8>)

// -----
// expected-error @+1 {{expected 1 to 256 elements along each dimension of a box, but got 257}}
func.func private @box(!fuser_gpu.tensor_map<257x64xbf16>)

// -----
// expected-error @+1 {{expected elements of 1, 2, 4 or 8 bytes, but got 'i1'}}
func.func private @element(!fuser_gpu.tensor_map<64x128xi1>)

// -----
// expected-error @+1 {{expected rows of a multiple of 16 bytes, but got 24}}
func.func private @row(!fuser_gpu.tensor_map<64x12xbf16>)

// -----
// expected-error @+1 {{expected a swizzle of 32, 64 or 128 bytes, but got 48}}
func.func private @swizzle(!fuser_gpu.tensor_map<64x64xbf16, swizzle = 48>)

// -----
// expected-error @+1 {{expected rows of 128 bytes, as the swizzle has, but got 64}}
func.func private @swizzled_row(!fuser_gpu.tensor_map<64x32xbf16, swizzle = 128>)

// -----
gpu.module @m {
  // expected-error @+1 {{expected each of 2 dimensions once, but got [0, 0]}}
  gpu.func @dims(%map: !fuser_gpu.tensor_map<64x64xbf16> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 0]>}) kernel {
    gpu.return
  }
}

// -----
gpu.module @m {
  // expected-error @+1 {{expected the operand to be at least 0, but got -1}}
  gpu.func @operand(%map: !fuser_gpu.tensor_map<64x64xbf16> {fuser_gpu.bind = #fuser_gpu.tensor_map<-1, dims = [0, 1]>}) kernel {
    gpu.return
  }
}

// -----
gpu.module @m {
  // expected-error @+1 {{expected argument 0 bound to #fuser_gpu.tensor_map<0, dims = [0, 1, 2]> to be a tensor map with as many dimensions, but got '!fuser_gpu.tensor_map<64x64xbf16>'}}
  gpu.func @binding(%map: !fuser_gpu.tensor_map<64x64xbf16> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1, 2]>}) kernel {
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @coordinates(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index)
      workgroup(%s: memref<4096xbf16, #gpu.address_space<workgroup>>, %f: memref<2xi64, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected 2 coordinates for '!fuser_gpu.tensor_map<64x64xbf16>', but got 1}}
    fuser_gpu.copy_tensor %map[%i] to %s[%i] signal %f[%i] : !fuser_gpu.tensor_map<64x64xbf16>, memref<4096xbf16, #gpu.address_space<workgroup>>, memref<2xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @elements(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index)
      workgroup(%s: memref<4096xf16, #gpu.address_space<workgroup>>, %f: memref<2xi64, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected elements of type 'bf16', but got 'f16'}}
    fuser_gpu.copy_tensor %map[%i, %i] to %s[%i] signal %f[%i] : !fuser_gpu.tensor_map<64x64xbf16>, memref<4096xf16, #gpu.address_space<workgroup>>, memref<2xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @target(%map: !fuser_gpu.tensor_map<64x64xbf16>, %s: memref<4096xbf16>, %i: index)
      workgroup(%f: memref<2xi64, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected shared memory (address space workgroup), but got 'memref<4096xbf16>'}}
    fuser_gpu.copy_tensor %map[%i, %i] to %s[%i] signal %f[%i] : !fuser_gpu.tensor_map<64x64xbf16>, memref<4096xbf16>, memref<2xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @barrier(%i: index) workgroup(%f: memref<2xi64, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected 1 indices for 'memref<2xi64, #gpu.address_space<workgroup>>', but got 2}}
    fuser_gpu.mbarrier_arrive %f[%i, %i] : memref<2xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @id() kernel {
    // expected-error @+1 {{expected an id from 1 to 15, but got 0}}
    fuser_gpu.role_barrier 0 threads 64
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @threads() kernel {
    // expected-error @+1 {{expected a multiple of 32 threads up to 1024, but got 40}}
    fuser_gpu.role_barrier 1 threads 40
    gpu.return
  }
}
