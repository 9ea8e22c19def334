// RUN: fuser-run %s --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A reduction across blocks whose loop in each thread is unswitched.

// CHECK: check {{.*}} ok
// IR: } else {
// IR: fuser_gpu.last_block
#x = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i2, outer 4) -> (i4, i5), split(i5, 4) -> (i6, i7), loop = [i0 @block_x, i4 @block_y, i6 @unswitch, i7 @unroll, i3 @thread_x], allocation = [i0, i1]>
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), split(r5, 4) -> (r6, r7), loop = [i0 @block_x, r4 @block_y, r6 @unswitch, r7 @unroll, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %a = fuser.set %x {domains = [#x], inline_at = 3 : i64} : tensor<?x?xf32>
  %0 = fuser.sum %a dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
