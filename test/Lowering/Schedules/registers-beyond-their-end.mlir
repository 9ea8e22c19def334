// RUN: fuser-run %s --device=host --check --sizes=4 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// An op whose loops go beyond the 4 elements of its operand, which lies in registers, reads one that exists instead.

// CHECK: check {{.*}} ok
// IR: arith.minui
#p = #fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>
#c = #fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2], allocation = [i0]>
fuser.fusion @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.exp %x {domains = [#p]} : tensor<4xf32>
  %1 = fuser.neg %0 {domains = [#c]} : tensor<4xf32>
  %2 = fuser.set %1 {domains = [#p], memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %2 : tensor<4xf32>
}
