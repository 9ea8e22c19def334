// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// A column-major input, a column-major output and a row-major one.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 8) -> (i4, i5), loop = [i2 @block_y, i4 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @o(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>, unit]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.exp %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %2 = fuser.neg %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
