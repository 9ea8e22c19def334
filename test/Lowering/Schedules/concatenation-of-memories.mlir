// RUN: fuser-run %s --device=host --check --sizes=40,50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1,1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33,700 | FileCheck %s
// One half from shared memory, the other from a workspace.

// CHECK: check {{.*}} ok
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2, i3 @thread_x], allocation = [i0]>
fuser.fusion @st(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<at_most 0[0], 64>]} {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<shared>} : tensor<?xf32>
  %1 = fuser.neg %y {domains = [#t], memory = #fuser.memory<global>} : tensor<?xf32>
  %2 = fuser.cat %0, %1 dim 0 {domains = [#t], inline_at = 2 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = fuser.neg %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
