// RUN: fuser-run %s --device=host --check --sizes=24x48 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A value in a workspace shares a loop over threads that it has no dimension for: it is one element for all of them, so that
// one thread stores it and the others wait. Without that they all store it, which is a race.

// CHECK: check {{.*}} ok
// IR: memref.store
// IR: gpu.barrier
// IR: memref.load
#w = #fuser.domain<logical = [i0, i1], broadcast() -> b2, loop = [b2 @thread_y, i0, i1], allocation = [i0, i1]>
#o = #fuser.domain<logical = [b0, i1, i2], split(b0, 4) -> (b3, b4), loop = [b4 @thread_y, i1, i2, b3], allocation = [b0, i1, i2]>
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<1x?x?xf32> {
  %0 = fuser.set %x {domains = [#w], inline_at = 3 : i64, memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#o], inline_at = 4 : i64} : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<1x?x?xf32>
  fuser.return %2 : tensor<1x?x?xf32>
}
