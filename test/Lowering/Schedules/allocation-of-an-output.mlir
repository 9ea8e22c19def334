// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// An output whose op says in which order it lies in memory.

// CHECK: check {{.*}} ok
// IR-NOT: gpu.barrier
#d = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 8) -> (i4, i5), loop = [i2 @block_y, i4 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i1, i0]>
fuser.fusion @o(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %1 = fuser.exp %x {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
