// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=9x999 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=8x999 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=1x999 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=0x999 | FileCheck %s
// Two warps of a row, which passes through shared memory, exchange what they have.

// CHECK: block 64x4, 3{{[0-9]+}} bytes of dynamic shared memory
// CHECK: check {{.*}} ok

fuser.kernel @warps_0(%x: tensor<?x999xf32>) -> tensor<?x999xf32> attributes {facts = [#fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>], fuser_sched.sizes = [array<i64: 9, 999>], schedule = #fuser_sched.scan<pattern = inner, threads_x = 64, threads_y = 4, unroll = 17, flat = 4>} {
  %0 = fuser.cumsum %x dim 1 : tensor<?x999xf32> -> tensor<?x999xf32>
  fuser.return %0 : tensor<?x999xf32>
}
fuser.host @warps(%x: tensor<?x999xf32>) -> tensor<?x999xf32> {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %x, %c0 : tensor<?x999xf32>
  %0 = fuser.alloc(%dim) : tensor<?x999xf32>
  %1 = fuser.launch @warps_0 ins(%x : tensor<?x999xf32>) outs(%0 : tensor<?x999xf32>) -> tensor<?x999xf32>
  fuser.return %1 : tensor<?x999xf32>
}
