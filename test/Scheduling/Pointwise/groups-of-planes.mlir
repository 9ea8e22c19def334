// RUN: fuser-run %s --start-from=apply --device=host --sizes=7x11x24,24 --save-output=%t.planes.npy
// RUN: sed 's/, outer_dims = 2, repeats = 4//' %s > %t.rows.mlir
// RUN: fuser-run %t.rows.mlir --start-from=apply --device=host --sizes=7x11x24,24 --save-output=%t.rows.npy
// RUN: cmp %t.planes.npy %t.rows.npy
// RUN: fuser-opt %s --fuser-phase-apply | FileCheck %s
// All rows are planes, of which a thread has four: the rows of a block are groups of them.

// CHECK: fuser.set %x {{.*}}merge(i0, i1) -> [[PLANES:i[0-9]+]], {{.*}}split([[PLANES]], 4) -> ([[GROUPS:i[0-9]+]], [[REPEAT:i[0-9]+]]), split([[GROUPS]], 8) -> ([[TILES:i[0-9]+]], [[ROW:i[0-9]+]])
// CHECK-SAME: [[ROW]] @thread_y, [[REPEAT]] @unroll
fuser.kernel @scale_0(%x: tensor<?x?x24xf32>, %s: tensor<24xf32>) -> tensor<?x?x24xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>, #fuser.fact<elements_at_most 2, 2130706431>], schedule = #fuser_sched.pointwise<threads = 6, vector = 4, rows = 8, inner_dims = 1, merge_grid = true, outer_dims = 2, repeats = 4>} {
  %0 = fuser.exp %s : (tensor<24xf32>) -> tensor<24xf32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<24xf32> -> tensor<1x1x24xf32>
  %2 = fuser.mul %x, %1 : (tensor<?x?x24xf32>, tensor<1x1x24xf32>) -> tensor<?x?x24xf32>
  fuser.return %2 : tensor<?x?x24xf32>
}
fuser.host @scale(%x: tensor<?x?x24xf32>, %s: tensor<24xf32>) -> tensor<?x?x24xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x24xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<?x?x24xf32>
  %0 = fuser.alloc(%n, %m) : tensor<?x?x24xf32>
  %1 = fuser.launch @scale_0 ins(%x, %s : tensor<?x?x24xf32>, tensor<24xf32>) outs(%0 : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
  fuser.return %1 : tensor<?x?x24xf32>
}
