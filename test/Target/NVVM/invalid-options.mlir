// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_42x" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not fuser-opt %s --fuser-emit-ptx="ptx-version=12" 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not fuser-opt %s --fuser-emit-ptx="opt-level=4" 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not fuser-opt %s --fuser-emit-ptx="libdevice=/nowhere.bc" 2>&1 | FileCheck %s --check-prefix=LIBDEVICE

// CHIP: error: expected a chip of NVIDIA that LLVM knows (sm_80, sm_90a, ...), but got 'sm_42x'
// VERSION: error: expected a PTX version that LLVM knows (86 to 90), but got 12
// LEVEL: error: expected an optimisation level from 0 to 3, but got 4
// LIBDEVICE: error: expected libdevice at '/nowhere.bc', but got:
gpu.module @m {
  gpu.func @m(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.exp %0 : f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
