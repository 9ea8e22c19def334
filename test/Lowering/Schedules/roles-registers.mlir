// RUN: fuser-run %s --device=host --check --sizes=6x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x260 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// RUN: fuser-opt %s --fuser-to-kernel-ir=target=sm_100a 2>/dev/null | FileCheck %s --check-prefix=OTHER
// Four warps copy tiles of rows, and four sum them: the ones give back registers that the others take. Before, each thread of the
// 384 has 168. On other targets, all threads keep equal shares, and the producer is a row of 64 threads.

// CHECK: check {{.*}} ok
// IR: min_blocks_per_sm = 1
// IR-SAME: known_block_size = array<i32: 64, 6, 1>
// IR: fuser_gpu.set_max_registers decrease 40
// IR: fuser_gpu.copy_bulk
// IR: } else {
// IR-NEXT: fuser_gpu.set_max_registers increase 232
// IR: fuser_gpu.role_barrier 1 threads 256
// OTHER: known_block_size = array<i32: 64, 5, 1>
// OTHER-NOT: set_max_registers
#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#m = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i3, 4) -> (i4, i5), loop = [i0 @block_x, i2, i5 @thread_y, i4 @thread_x]>
#s = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r3, 4) -> (r4, r5), loop = [i0 @block_x, r2, r5 @thread_y, r4 @thread_x]>
#y = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 232>} : tensor<?x?xf32>
  %1 = fuser.mul %0, %0 {domains = [#m], inline_at = 2 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#s], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
