// RUN: fuser-run %s --program=meet --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --program=meet --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --program=meet --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-run %s --program=everywhere --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Reductions across blocks in the same loops: each block arrives once, and the last one finishes all of them.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0 @block_x, r4 @block_y, r5, r3 @thread_x], allocation = [i0]>
#p = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i2, outer 4) -> (i4, i5), loop = [i0 @block_x, i4 @block_y, i5, i3 @thread_x], allocation = [i0, i1]>
#b = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1], allocation = [i0, b1]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>

// Their results meet in one op.
// IR-LABEL: gpu.func @meet_0
// IR-NOT: cooperative
// IR-NOT: fuser_gpu.grid_sync
// IR: fuser_gpu.last_block
// IR-NOT: fuser_gpu.last_block
// IR-NOT: fuser_gpu.grid_sync
// IR: gpu.return
fuser.fusion @meet(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %t = fuser.exp %x {domains = [#p], inline_at = 4 : i64} : tensor<?x?xf32>
  %0 = fuser.sum %t dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %t dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.add %0, %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  %3 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2, %3 : tensor<?xf32>, tensor<?xf32>
}

// All blocks need the sum. They do not wait for the maximum, which has a last block of its own.
// IR-LABEL: gpu.func @everywhere_0
// IR: fuser_gpu.grid_sync
// IR-NOT: fuser_gpu.grid_sync
// IR: fuser_gpu.last_block
// IR-NOT: fuser_gpu.grid_sync
// IR: gpu.return
fuser.fusion @everywhere(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %t = fuser.exp %x {domains = [#p], inline_at = 4 : i64} : tensor<?x?xf32>
  %0 = fuser.sum %t dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %t dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  %3 = fuser.broadcast %0 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.mul %x, %3 {domains = [#p], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2, %4 : tensor<?xf32>, tensor<?x?xf32>
}
