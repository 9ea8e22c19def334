// RUN: fuser-opt --fuser-lower-to-host %s | FileCheck %s
// RUN: fuser-opt --fuser-lower-to-host=check-accesses %s | FileCheck %s --check-prefix=CHECKED

// The scheduler maps an address to that of the peer; both halves of the barrier are calls.
// CHECK-LABEL: module @clusters
// CHECK: llvm.func internal @fuser_host_entry_clusters(%[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:   llvm.urem
// CHECK:   llvm.call @fuser_host_cluster_arrive(%[[CTX]],
// CHECK:   llvm.call @fuser_host_cluster_wait(%[[CTX]],
// CHECK:   %[[OWN:.*]] = llvm.ptrtoint
// CHECK:   %[[PEER:.*]] = llvm.call @fuser_host_map_peer(%[[CTX]], %{{.*}}, %[[OWN]], %{{.*}})
// CHECK:   %[[ADDRESS:.*]] = llvm.inttoptr %[[PEER]]
// CHECK:   llvm.store %{{.*}}, %[[ADDRESS]]
// CHECKED: llvm.call @fuser_host_map_peer
// CHECKED: %[[SHARED:.*]] = llvm.mlir.constant(-2 : i32)
// CHECKED: llvm.call @fuser_host_check_access({{.*}}%[[SHARED]],
gpu.module @clusters {
  gpu.func @clusters(%v: f32) workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %rank = gpu.cluster_block_id x
    %t = gpu.thread_id x
    fuser_gpu.cluster_arrive
    fuser_gpu.cluster_wait
    fuser_gpu.peer_store %v, %slots[%rank] of %t : f32, memref<8xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
