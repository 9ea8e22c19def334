// RUN: fuser-run %s --device=host --check --sizes=4x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x13 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// A reduction whose loops are all hardware, with an unrolled loop inside: each copy is a reduction of its own.

// CHECK: check {{.*}} ok
#s = #fuser.domain<logical = [r0, i1], split(r0, 4) -> (r2, r3), split(i1, 4) -> (i4, i5), loop = [r2 @block_x, r3 @thread_x, i4, i5 @unroll], allocation = [i1]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), broadcast() -> b3, broadcast() -> b4, loop = [b3 @block_x, b4 @thread_x, i1, i2 @unroll], allocation = [i0]>
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [0] {domains = [#s], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
