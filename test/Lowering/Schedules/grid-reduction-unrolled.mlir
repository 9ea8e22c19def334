// RUN: fuser-run %s --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x10 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A reduction across blocks in an unrolled loop, once for each copy, in one workspace.

// CHECK: check {{.*}} ok
// IR-COUNT-2: fuser_gpu.last_block
#d = #fuser.domain<logical = [i0, r1], split(i0, 2) -> (i6, i7), split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i6, i7 @unroll, r4 @block_x, r5, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], split(i0, 2) -> (i6, i7), loop = [i6, i7 @unroll], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
