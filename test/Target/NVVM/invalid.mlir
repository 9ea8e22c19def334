// RUN: fuser-opt %s --fuser-lower-to-nvvm -split-input-file -verify-diagnostics

gpu.module @rank {
  // expected-error @+1 {{expected tensors as memrefs of rank 0 in global memory, but argument 1 is 'memref<?xf32>'}}
  gpu.func @rank(%x: memref<f32>, %y: memref<?xf32>) kernel { gpu.return }
}

// -----

gpu.module @type {
  // expected-error @+1 {{expected a memref or a scalar, but argument 0 is 'tensor<4xf32>'}}
  gpu.func @type(%x: tensor<4xf32>) kernel { gpu.return }
}

// -----

gpu.module @packed {
  gpu.func @packed(%x: memref<i1>) kernel {
    %c0 = arith.constant 0 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<i1> to memref<8xi1, strided<[1]>>
    // expected-error @+1 {{expected booleans in memory as bytes (i8), but got 'vector<8xi1>'}}
    %v = vector.load %xs[%c0] : memref<8xi1, strided<[1]>>, vector<8xi1>
    gpu.return
  }
}

// -----

gpu.module @foreign {
  gpu.func @foreign(%x: memref<i32>, %n: index) kernel {
    // expected-error @+1 {{expected an operation of kernel IR, but got 'index.add'}}
    %0 = index.add %n, %n
    %1 = arith.index_cast %0 : index to i32
    memref.store %1, %x[] : memref<i32>
    gpu.return
  }
}

// -----

gpu.module @function {
  // expected-error @+1 {{expected an operation of kernel IR, but got 'func.func'}}
  func.func @function() { return }
}

// -----

gpu.module @wide {
  gpu.func @wide(%x: memref<f128>, %y: f128) kernel {
    // expected-error @+1 {{expected floats of up to 64 bits, but got 'f128'}}
    %0 = memref.load %x[] : memref<f128>
    %1 = arith.addf %0, %y : f128
    memref.store %1, %x[] : memref<f128>
    gpu.return
  }
}

// -----

gpu.module @lowered {
  llvm.func @lowered(%x: !llvm.ptr, %y: f32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error @+1 {{expected a function that the GPU supports, but got 'llvm.intr.log2'}}
    %0 = llvm.intr.log2(%y) : (f32) -> f32
    llvm.store %0, %x : f32, !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @parts {
  gpu.func @parts(%x: complex<f32>, %y: complex<f32>, %o: memref<complex<f32>>) kernel {
    %b = gpu.block_id x
    // expected-error @+1 {{expected pointers, integers or floats as arguments of parts, but got 'complex<f32>'}}
    %0 = fuser_gpu.part_argument %b of %x, %y : complex<f32>
    memref.store %0, %o[] : memref<complex<f32>>
    gpu.return
  }
}

// -----

gpu.module @pointer {
  // expected-error @+1 {{expected a memref or a scalar, but argument 0 is '!llvm.ptr'}}
  gpu.func @pointer(%x: !llvm.ptr) kernel { gpu.return }
}

// -----

gpu.module @one_element {
  // expected-error @+1 {{expected a memref or a scalar, but argument 0 is 'vector<f32>'}}
  gpu.func @one_element(%x: vector<f32>) kernel { gpu.return }
}

// -----

gpu.module @scalable {
  // expected-error @+1 {{expected a memref or a scalar, but argument 0 is 'vector<[4]xf32>'}}
  gpu.func @scalable(%x: vector<[4]xf32>) kernel { gpu.return }
}

// -----

gpu.module @parameters {
  // expected-error @+1 {{expected at most 32764 bytes of parameters, but got 32776}}
  gpu.func @parameters(%x: vector<2048xi64>, %y: vector<1024xi64>, %z: vector<1024xi64>, %p: memref<f32>) kernel { gpu.return }
}

// -----

gpu.module @complex_parameters {
  // expected-error @+1 {{expected at most 32764 bytes of parameters, but got 32784}}
  gpu.func @complex_parameters(%x: vector<2048xi64>, %y: vector<2048xi64>, %z: complex<f64>) kernel { gpu.return }
}
