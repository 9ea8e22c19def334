// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s -mlir-print-op-generic | fuser-opt | FileCheck %s
// Round trip of fuser_gpu.part_argument, of its bindings and of a launch with parts.

// CHECK: parts = #map
// CHECK: fuser_gpu.part_argument %{{.*}} of %arg0, %arg1 : memref<f32>
gpu.module @m {
gpu.func @right(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>},
                %f: index {fuser_gpu.bind = #fuser_gpu.first_block<1>}, %g: index {fuser_gpu.bind = #fuser_gpu.part_grid<1, 2>}) kernel
    attributes {known_block_size = array<i32: 1, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<
        grid = affine_map<()[s0] -> (s0 + 1, 1, 1)>, symbols = [#fuser_gpu.size<0, 0>], parts = affine_map<()[s0] -> (s0, 1, 1, 1, 1, 1)>>} {
  %p = gpu.block_id x
  %a = fuser_gpu.part_argument %p of %x, %y : memref<f32>
  gpu.return
}
}
