// RUN: fuser-opt --fuser-lower-to-host -split-input-file -verify-diagnostics %s

// expected-error @below {{expected exactly one gpu.func kernel, but got 2}}
gpu.module @two {
  gpu.func @a() kernel { gpu.return }
  gpu.func @b() kernel { gpu.return }
}

// -----

gpu.module @dynamic {
  // expected-error @below {{expected argument 0 to be a scalar or a buffer of static shape, but got 'memref<?xf32>'}}
  gpu.func @dynamic(%x: memref<?xf32>) kernel { gpu.return }
}

// -----

gpu.module @array {
  gpu.func @array(%n: index, %x: memref<f32>) kernel {
    // expected-error @below {{expected a static shape for an array of a thread, but got 'memref<?xf32>'}}
    %a = memref.alloca(%n) : memref<?xf32>
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %x[] : memref<f32>
    gpu.return
  }
}

// -----

gpu.module @foreign {
  gpu.func @foreign(%x: memref<i32>, %v: i32) kernel {
    // expected-error @below {{failed to legalize operation 'gpu.printf'}}
    gpu.printf "%d", %v : i32
    gpu.return
  }
}
