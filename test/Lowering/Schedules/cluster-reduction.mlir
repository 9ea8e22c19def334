// RUN: fuser-run %s --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x7 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// The blocks of a cluster reduce parts of a row, send them to each other, and each combines all. One stores.

// CHECK: check {{.*}} ok
// IR: affine_map<()[s0] -> (s0 * 4, 1, 1)>
// IR: cluster = [4, 1, 1]
// IR: fuser_gpu.cluster_arrive
// IR: scf.for
// IR: fuser_gpu.cluster_wait
// IR: fuser_gpu.peer_store
// IR: fuser_gpu.cluster_arrive
// IR: fuser_gpu.cluster_wait
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5),
     loop = [i0 @block_x, r4 @cluster_x, r5, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
