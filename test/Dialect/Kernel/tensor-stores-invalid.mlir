// RUN: fuser-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @coordinates(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index) workgroup(%s: memref<4096xbf16, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected 2 coordinates for '!fuser_gpu.tensor_map<64x64xbf16>', but got 1}}
    fuser_gpu.store_tensor %s[%i] to %map[%i] : memref<4096xbf16, #gpu.address_space<workgroup>>, !fuser_gpu.tensor_map<64x64xbf16>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @element(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index) workgroup(%s: memref<4096xf16, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected elements of type 'bf16', but got 'f16'}}
    fuser_gpu.store_tensor %s[%i] to %map[%i, %i] : memref<4096xf16, #gpu.address_space<workgroup>>, !fuser_gpu.tensor_map<64x64xbf16>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @indices(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index) workgroup(%s: memref<4096xbf16, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{expected 1 indices}}
    fuser_gpu.store_tensor %s[%i, %i] to %map[%i, %i] : memref<4096xbf16, #gpu.address_space<workgroup>>, !fuser_gpu.tensor_map<64x64xbf16>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @space(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index, %g: memref<4096xbf16>) workgroup(%s: memref<4096xbf16, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{shared memory}}
    fuser_gpu.store_tensor %g[%i] to %map[%i, %i] : memref<4096xbf16>, !fuser_gpu.tensor_map<64x64xbf16>
    gpu.return
  }
}

// -----
gpu.module @m {
  gpu.func @pending(%map: !fuser_gpu.tensor_map<64x64xbf16>, %i: index) workgroup(%s: memref<4096xbf16, #gpu.address_space<workgroup>>) kernel {
    // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
    "fuser_gpu.store_wait"() <{pending = -1 : i64}> : () -> ()
    gpu.return
  }
}
