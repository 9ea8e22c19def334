// RUN: fuser-run %s --device=host --check --sizes=45x70 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A transpose through a swizzled tile in shared memory: rows are loaded, columns are stored, one barrier between them.

// CHECK: check {{.*}} ok
// IR: arith.xori
// IR: gpu.barrier
// IR: arith.xori
#load = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 16) -> (i4, i5), swizzle(i3, i5, 1) -> (i6, i7),
        loop = [i2 @block_y, i4 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i2, i4, i6, i7]>
#store = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 16) -> (i4, i5),
        loop = [i4 @block_y, i2 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @transpose(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#load], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#store], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
