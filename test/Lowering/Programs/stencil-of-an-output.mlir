// RUN: fuser-run %s --device=host --check --check-accesses | FileCheck %s
// An output that other ops of its kernel read at two offsets, in loops that leave a rest: each thread reads what other
// blocks write, after the grid waited.
// CHECK: check {{ *}}output 0: ok, 4998 elements
// CHECK: output 1: ok, 5000 elements
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x], allocation = [i0]>
fuser.fusion @st(%x: tensor<5000xf32>) -> (tensor<4998xf32>, tensor<5000xf32>) {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<global>} : tensor<5000xf32>
  %1 = fuser.slice %0 [0] [4998] {domains = [#t], inline_at = 2 : i64} : tensor<5000xf32> -> tensor<4998xf32>
  %2 = fuser.slice %0 [2] [4998] {domains = [#t], inline_at = 2 : i64} : tensor<5000xf32> -> tensor<4998xf32>
  %3 = fuser.add %1, %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<4998xf32>
  fuser.return %3, %0 : tensor<4998xf32>, tensor<5000xf32>
}
