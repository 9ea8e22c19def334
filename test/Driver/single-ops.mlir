// RUN: fuser-run %s --device=host --range i=0:16 --check | FileCheck %s
// RUN: fuser-explain %s 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// A kernel that the fallback scheduler computes is named, and the remark about it is printed once.

// CHECK: single op   kernel 'f_0' computes 'fuser.scatter' alone, one element per thread, because no other scheduler accepts it
// CHECK-NOT: single op
// CHECK: check {{ *}}output 0: ok

// EXPLAIN: remark: no scheduler is for this op
// EXPLAIN-NOT: remark:
fuser.fusion @f(%x: tensor<8x16xf32>, %i: tensor<8x4xi64>, %s: tensor<8x4xf32>) -> tensor<8x16xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<8x4xf32>, tensor<8x4xi64>, tensor<8x16xf32>
  fuser.return %0 : tensor<8x16xf32>
}
