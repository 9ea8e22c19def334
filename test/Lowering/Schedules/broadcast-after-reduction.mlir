// RUN: fuser-run %s --device=host --check --sizes=9x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x1 | FileCheck %s
// Each block reduces a row and every thread gets the result, which is broadcast and used again.

// CHECK: check {{.*}} ok
#row = #fuser.domain<logical = [i0, i1], split(i1, 96) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#sum = #fuser.domain<logical = [i0, r1], split(r1, 96) -> (r2, r3), loop = [i0 @block_x, r2, r3 @thread_x], allocation = [i0]>
#bc = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1], allocation = [i0, b1]>
fuser.fusion @center(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = fuser.mean %x dims [1] {domains = [#sum], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %b = fuser.broadcast %s dims [1] {domains = [#bc], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %0 = fuser.sub %x, %b {domains = [#row], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
