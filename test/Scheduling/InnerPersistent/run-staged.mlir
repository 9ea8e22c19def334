// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=5x7x33,5x7x33,33,5x7x1 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=1x16x33,1x16x33,33,1x16x1 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=3x16x33,3x16x33,33,3x16x1 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=2x9x33,2x9x33,33,2x9x1 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=1x1x33,1x1x33,33,1x1x1 | FileCheck %s
// RUN: fuser-run %s --start-from=apply --device=host --check --sizes=0x5x33,0x5x33,33,0x5x1 | FileCheck %s
// Rows of 33 elements through shared memory, 16 of a block: arguments of two types, a weight that all rows share, a factor and
// a result of each row. The last block has fewer rows, so that its last vectors are parts.

// CHECK: block 2x16, 4224 bytes of dynamic shared memory
// CHECK: check {{.*}} ok
// CHECK-NEXT: output 1: ok

fuser.kernel @mixed_0(%x: tensor<?x?x33xbf16>, %y: tensor<?x?x33xf32>, %w: tensor<33xf32>, %s: tensor<?x?x1xf32>) -> (tensor<?x?x33xbf16>, tensor<?x?x1xf32>) attributes {facts = [#fuser.fact<equal 0[0], 1[0]>, #fuser.fact<equal 0[1], 1[1]>, #fuser.fact<equal 0[0], 3[0]>, #fuser.fact<equal 0[1], 3[1]>, #fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>, #fuser.fact<elements_at_most 3, 2130706431>, #fuser.fact<elements_at_most 4, 2130706431>, #fuser.fact<elements_at_most 5, 2130706431>], fuser_sched.sizes = [array<i64: 5, 7, 33>, array<i64: 5, 7, 33>, array<i64: 33>, array<i64: 5, 7, 1>], schedule = #fuser_sched.inner_persistent<threads = 2, vectors = 17, rows = 16, flat = 4>} {
  %0 = fuser.cast %x : tensor<?x?x33xbf16> to tensor<?x?x33xf32>
  %1 = fuser.add %0, %y : tensor<?x?x33xf32>
  %2 = fuser.mul %1, %s : (tensor<?x?x33xf32>, tensor<?x?x1xf32>) -> tensor<?x?x33xf32>
  %3 = fuser.max %2 dims [2] : tensor<?x?x33xf32> -> tensor<?x?xf32>
  %4 = fuser.broadcast %3 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %5 = fuser.sub %2, %4 : (tensor<?x?x33xf32>, tensor<?x?x1xf32>) -> tensor<?x?x33xf32>
  %6 = fuser.broadcast %w dims [0, 1] : tensor<33xf32> -> tensor<1x1x33xf32>
  %7 = fuser.mul %5, %6 : (tensor<?x?x33xf32>, tensor<1x1x33xf32>) -> tensor<?x?x33xf32>
  %8 = fuser.cast %7 : tensor<?x?x33xf32> to tensor<?x?x33xbf16>
  fuser.return %8, %4 : tensor<?x?x33xbf16>, tensor<?x?x1xf32>
}
fuser.host @mixed(%x: tensor<?x?x33xbf16>, %y: tensor<?x?x33xf32>, %w: tensor<33xf32>, %s: tensor<?x?x1xf32>) -> (tensor<?x?x33xbf16>, tensor<?x?x1xf32>) attributes {facts = [#fuser.fact<equal 0[0], 1[0]>, #fuser.fact<equal 0[1], 1[1]>, #fuser.fact<equal 0[0], 3[0]>, #fuser.fact<equal 0[1], 3[1]>]} {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %x, %c0 : tensor<?x?x33xbf16>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %x, %c1 : tensor<?x?x33xbf16>
  %0 = fuser.alloc(%dim, %dim_0) : tensor<?x?x33xbf16>
  %1 = fuser.alloc(%dim, %dim_0) : tensor<?x?x1xf32>
  %2:2 = fuser.launch @mixed_0 ins(%x, %y, %w, %s : tensor<?x?x33xbf16>, tensor<?x?x33xf32>, tensor<33xf32>, tensor<?x?x1xf32>) outs(%0, %1 : tensor<?x?x33xbf16>, tensor<?x?x1xf32>) -> tensor<?x?x33xbf16>, tensor<?x?x1xf32>
  fuser.return %2#0, %2#1 : tensor<?x?x33xbf16>, tensor<?x?x1xf32>
}
