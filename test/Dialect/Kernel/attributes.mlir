// RUN: fuser-opt %s | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s

// Products and divisions of symbols survive; defaults are not printed.
// CHECK-DAG: #[[GRID:.*]] = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 2048, s0 floordiv s1, 1)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<() -> (1, 1, 1)>
// CHECK-DAG: #[[SMEM:.*]] = affine_map<()[s0, s1] -> (s1 * 4)>
// CHECK-DAG: #[[BYTES:.*]] = affine_map<()[s0, s1] -> (s0 * 8)>

// CHECK: gpu.module @all attributes {fuser_gpu.index_bits = 32 : i32}
gpu.module @all attributes {fuser_gpu.index_bits = 32 : i32} {
  // CHECK: gpu.func @all
  // CHECK-SAME: memref<bf16> {fuser_gpu.align = 16 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly}
  // CHECK-SAME: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>}
  // CHECK-SAME: index {fuser_gpu.bind = #fuser_gpu.stride<0, 0>}
  // CHECK-SAME: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>}
  // CHECK-SAME: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<1, zeroed = true>}
  // CHECK-SAME: fuser_gpu.launch = #fuser_gpu.launch<grid = #[[GRID]], symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.scalar<1>], smem = #[[SMEM]], workspaces = [#[[BYTES]], #[[BYTES]]], cooperative = true, cluster = [2, 1, 1], min_blocks_per_sm = 2>
  gpu.func @all(
      %x: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>},
      %s: index {fuser_gpu.bind = #fuser_gpu.stride<0, 0>},
      %a: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>},
      %w: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<1, zeroed = true>}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<
          min_blocks_per_sm = 2, cluster = [2, 1, 1], cooperative = true,
          grid = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 2048, s0 floordiv s1, 1)>,
          symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.scalar<1>],
          smem = affine_map<()[s0, s1] -> (s1 * 4)>,
          workspaces = [affine_map<()[s0, s1] -> (s0 * 8)>, affine_map<()[s0, s1] -> (s0 * 8)>]>} {
    gpu.return
  }
}

// CHECK: gpu.module @least
gpu.module @least {
  // CHECK: fuser_gpu.launch = #fuser_gpu.launch<grid = #[[ONE]]>
  gpu.func @least() kernel
      attributes {known_block_size = array<i32: 1, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
