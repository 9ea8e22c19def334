// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s
// A kept value is unpacked again: the conversions in front of and behind the barrier stay apart.

// CHECK-LABEL: .entry keep(
// CHECK: cvt.f32.bf16
// CHECK: bar.sync
// CHECK: inline asm
// CHECK: cvt.f32.bf16
gpu.module @keep {
  gpu.func @keep(%x: memref<bf16>, %y: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<bf16>
    %1 = arith.extf %0 : bf16 to f32
    memref.store %1, %y[] : memref<f32>
    gpu.barrier
    %2 = fuser_gpu.keep %0 : bf16
    %3 = arith.extf %2 : bf16 to f32
    memref.store %3, %y[] : memref<f32>
    gpu.return
  }
}
