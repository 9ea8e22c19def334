// RUN: fuser-run %s --device=host --check --program=data | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=whole | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows | FileCheck %s
// RUN: fuser-run %s --program=data --no-run --dump-after=synchronized | FileCheck %s --check-prefix=DATA
// Reads at data, and of whole dimensions, of values that the kernel itself writes in global memory.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x], allocation = [i0]>
#u = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2, i3 @thread_x], allocation = [i0]>

// The data is that of another block, and so is what is read at it.
// DATA: fuser_loop.barrier grid
// DATA: %[[I:.*]] = fuser_loop.index %{{.*}} follows [thread_x]
// DATA-NEXT: fuser.index_select(%{{.*}}[%[[I]]] where (%[[I]] < 100), %{{.*}} follows [thread_x])
fuser.fusion @data(%x: tensor<100xf32>, %y: tensor<100xi64>) -> tensor<100xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<global>} : tensor<100xf32>
  %1 = fuser.set %y {domains = [#t], memory = #fuser.memory<global>} : tensor<100xi64>
  %2 = fuser.index_select %0, %1 dim 0 {domains = [#u], inline_at = 2 : i64} : tensor<100xf32>, tensor<100xi64> -> tensor<100xf32>
  %3 = fuser.neg %2 {domains = [#u], memory = #fuser.memory<global>} : tensor<100xf32>
  fuser.return %3 : tensor<100xf32>
}

fuser.fusion @whole(%x: tensor<100xf32>, %i: tensor<100xi64>, %y: tensor<100xf32>) -> tensor<100xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<global>} : tensor<100xf32>
  %1 = fuser.set %i {domains = [#t], memory = #fuser.memory<global>} : tensor<100xi64>
  %2 = fuser.scatter %0 at %1 into %y dim 0 reduce add {domains = [#t], inline_at = 2 : i64} : tensor<100xf32>, tensor<100xi64>, tensor<100xf32>
  %3 = fuser.neg %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<100xf32>
  fuser.return %3 : tensor<100xf32>
}

// The first output, read again by rows; memory has the dimensions in the other order.
#r = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_x, i3]>
#s = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_x, i3], allocation = [i1, i0]>
fuser.fusion @rows(%x: tensor<6x32xf32>, %i: tensor<6xi64>) -> (tensor<6x32xf32>, tensor<6x32xf32>) {
  %0 = fuser.exp %x {domains = [#r], memory = #fuser.memory<global>} : tensor<6x32xf32>
  %1 = fuser.neg %0 {domains = [#s], memory = #fuser.memory<global>} : tensor<6x32xf32>
  %2 = fuser.index_select %1, %i dim 0 {domains = [#r], inline_at = 3 : i64} : tensor<6x32xf32>, tensor<6xi64> -> tensor<6x32xf32>
  %3 = fuser.index_select %0, %i dim 0 {domains = [#r], inline_at = 3 : i64} : tensor<6x32xf32>, tensor<6xi64> -> tensor<6x32xf32>
  %4 = fuser.add %2, %3 {domains = [#r], memory = #fuser.memory<global>} : tensor<6x32xf32>
  fuser.return %0, %4 : tensor<6x32xf32>, tensor<6x32xf32>
}
