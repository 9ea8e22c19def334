// RUN: fuser-run %s --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x129 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Mean and variance of rows that several blocks share, applied in the same kernel.

// CHECK: check {{.*}} ok
// IR-COUNT-1: fuser_gpu.grid_sync
// IR-NOT: fuser_gpu.grid_sync
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0 @block_x, r4 @block_y, r5, r3 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1], allocation = [i0, b1]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i2, outer 4) -> (i4, i5), loop = [i0 @block_x, i4 @block_y, i5, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @norm(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %v, %m = fuser.var_mean %x dims [1] correction 0 {domains = [#d, #d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %bm = fuser.broadcast %m dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %bv = fuser.broadcast %v dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %c = fuser.sub %x, %bm {domains = [#e], inline_at = 4 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %y = fuser.add %c, %bv {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %y : tensor<?x?xf32>
}
