// RUN: fuser-opt %s -fuser-emit-ptx -split-input-file -verify-diagnostics
// What LLVM cannot translate, compile or link.

// expected-error @below {{expected a module that translates to LLVM IR}}
gpu.module @intrinsic {
  gpu.func @intrinsic(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{could not find LLVM intrinsic: "llvm.nope"}}
    // expected-error @below {{LLVM Translation failed for operation: llvm.call_intrinsic}}
    llvm.call_intrinsic "llvm.nope"() : () -> ()
    gpu.return
  }
}

// -----

// expected-error @below {{expected code that LLVM can compile: couldn't allocate output register for constraint 'Q'}}
gpu.module @register {
  gpu.func @register(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = llvm.inline_asm has_side_effects "mov $0;", "=Q" : () -> i32
    gpu.return
  }
}

// -----

// expected-error @below {{expected libdevice to have '__nv_nope'}}
gpu.module @function {
  llvm.func @__nv_nope(f32) -> f32
  gpu.func @function(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = llvm.call @__nv_nope(%0) : (f32) -> f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
