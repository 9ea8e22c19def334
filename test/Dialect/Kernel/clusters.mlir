// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s

// CHECK-LABEL: gpu.func @k(
gpu.module @m {
  gpu.func @k(%v: f32, %w: vector<2xf32>) workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (8, 1, 1)>, symbols = [], cluster = [4, 1, 1]>} {
    %rank = gpu.cluster_block_id x
    %c3 = arith.constant 3 : index
    // CHECK: fuser_gpu.cluster_arrive
    // CHECK-NEXT: fuser_gpu.cluster_wait
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    // CHECK: fuser_gpu.peer_store %{{.*}}, %{{.*}}[%{{.*}}] of %{{.*}} : f32, memref<8xf32, #gpu.address_space<workgroup>>
    fuser_gpu.peer_store %v, %slots[%rank] of %c3 : f32, memref<8xf32, #gpu.address_space<workgroup>>
    // CHECK: fuser_gpu.peer_store %{{.*}}, %{{.*}}[%{{.*}}] of %{{.*}} align 8 : vector<2xf32>, memref<8xf32, #gpu.address_space<workgroup>>
    fuser_gpu.peer_store %w, %slots[%rank] of %c3 align 8 : vector<2xf32>, memref<8xf32, #gpu.address_space<workgroup>>
    // CHECK: fuser_gpu.peer_load %{{.*}}[%{{.*}}] of %{{.*}} align 8 : memref<8xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    %a = fuser_gpu.peer_load %slots[%rank] of %c3 align 8 : memref<8xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    gpu.return
  }
}
