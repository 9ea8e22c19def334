// Functions of libdevice that are one instruction need no libdevice.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a libdevice=%t.none output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a libdevice=%t.none ftz output=-" -o /dev/null | FileCheck %s --check-prefix=FTZ

// CHECK: rsqrt.approx.f32
// FTZ: rsqrt.approx.ftz.f32
gpu.module @root {
  gpu.func @root(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.rsqrt %0 : f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
