// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=- opt-level=0" -o /dev/null | FileCheck %s --check-prefix=NONE
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=- opt-level=1" -o /dev/null | FileCheck %s --check-prefix=SOME
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=- opt-level=2" -o /dev/null | FileCheck %s --check-prefix=SOME
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=- opt-level=3" -o /dev/null | FileCheck %s --check-prefix=SOME
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s --check-prefix=SOME
// LLVM's optimizations run from level 1 on: they infer that a pointer is into global memory.

// NONE: ld.b32
// NONE: st.b32
// SOME: ld.global{{.*}}b32
// SOME: st.global.b32
gpu.module @square attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @square(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [1000], strides: [1] : memref<f32> to memref<1000xf32>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [1000], strides: [1] : memref<f32> to memref<1000xf32>
    %v = memref.load %from[%t] : memref<1000xf32>
    %s = arith.mulf %v, %v : f32
    memref.store %s, %to[%t] : memref<1000xf32>
    gpu.return
  }
}
