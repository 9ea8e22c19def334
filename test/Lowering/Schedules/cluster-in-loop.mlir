// RUN: fuser-run %s --device=host --check --sizes=9x300 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A cluster reduces several rows one after the other: it waits until its blocks have read the slots of the last row.

// CHECK: check {{.*}} ok
// IR: fuser_gpu.cluster_arrive
// IR: fuser_gpu.cluster_wait
// IR: scf.for
// IR: fuser_gpu.peer_store
// IR: fuser_gpu.cluster_arrive
// IR-NEXT: fuser_gpu.cluster_wait
// IR: memref.store
// IR: fuser_gpu.cluster_arrive
// IR-NEXT: fuser_gpu.cluster_wait
// IR-NEXT: }
#d = #fuser.domain<logical = [i0, r1], split(i0, 3) -> (i6, i7), split(r1, 32) -> (r2, r3), split(r2, outer 2) -> (r4, r5),
     loop = [i6 @block_x, i7, r4 @cluster_x, r5, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], split(i0, 3) -> (i6, i7), loop = [i6 @block_x, i7], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.max %x dims [1] {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
