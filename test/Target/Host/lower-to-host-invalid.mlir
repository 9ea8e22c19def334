// RUN: fuser-opt --fuser-lower-to-host -split-input-file -verify-diagnostics %s

// expected-error @below {{expected exactly one gpu.func kernel, but got 2}}
gpu.module @two {
  gpu.func @a() kernel { gpu.return }
  gpu.func @b() kernel { gpu.return }
}

// -----

// expected-error @below {{expected exactly one gpu.func kernel, but got 0}}
gpu.module @none {}

// -----

gpu.module @callee {
  gpu.func @kernel() kernel { gpu.return }
  // expected-error @below {{expected a gpu.func kernel in a kernel module}}
  gpu.func @called() { gpu.return }
}

// -----

gpu.module @function {
  gpu.func @kernel() kernel { gpu.return }
  // expected-error @below {{expected a gpu.func kernel in a kernel module}}
  func.func private @called()
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

// -----

gpu.module @packed {
  gpu.func @packed(%x: memref<i1>) kernel {
    %c0 = arith.constant 0 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<i1> to memref<8xi1, strided<[1]>>
    // expected-error @below {{expected booleans in memory as bytes (i8), but got 'vector<8xi1>'}}
    %v = vector.load %xs[%c0] : memref<8xi1, strided<[1]>>, vector<8xi1>
    gpu.return
  }
}

// -----

gpu.module @atomic {
  gpu.func @atomic(%x: memref<bf16>, %v: bf16) kernel {
    // expected-error @below {{expected an atomic of an integer, f32 or f64, but got 'bf16'}}
    %0 = memref.atomic_rmw addf %v, %x[] : (bf16, memref<bf16>) -> bf16
    gpu.return
  }
}
