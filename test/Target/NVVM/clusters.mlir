// Launches in clusters: the shape is a part of the code; peers are addresses of the cluster's shared memory.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: error: expected a chip with clusters (sm_90 or later) for a launch in clusters, but got 'sm_80'

// CHECK-LABEL: .entry clusters(
// CHECK: .reqnctapercluster 4
// CHECK-DAG: mov.u32 %{{.*}}, %cluster_ctaid.x;
// CHECK-DAG: barrier.cluster.arrive.aligned;
// CHECK: barrier.cluster.wait.aligned;
// CHECK: mapa{{.*}}shared::cluster.u64
// CHECK: st.shared::cluster.b32
// CHECK: barrier.cluster.arrive.aligned;
// CHECK: barrier.cluster.wait.aligned;
// CHECK: ld.shared::cluster.b32
gpu.module @clusters {
  gpu.func @clusters(%y: memref<f32>) workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (8, 1, 1)>, symbols = [], cluster = [4, 1, 1]>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %v = memref.load %y[] : memref<f32>
    %rank = gpu.cluster_block_id x
    %peer = arith.remui %t, %c4 : index
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    fuser_gpu.peer_store %v, %slots[%rank] of %peer : f32, memref<8xf32, #gpu.address_space<workgroup>>
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    %a = fuser_gpu.peer_load %slots[%t] of %peer : memref<8xf32, #gpu.address_space<workgroup>>, f32
    memref.store %a, %y[] : memref<f32>
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    gpu.return
  }
}
