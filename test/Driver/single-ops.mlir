// RUN: fuser-run %s --program=f --device=host --range i=0:16 --check | FileCheck %s
// RUN: fuser-run %s --program=among_others --device=host --range i=0:8 --check | FileCheck %s --check-prefix=OTHERS
// RUN: fuser-explain %s --program=f 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// A kernel that the fallback scheduler computes is named, and the remark about it is printed once.

// CHECK: single op   kernel 'f_0' computes 'fuser.scatter' alone, one element per thread, because no other scheduler accepts it
// CHECK-NOT: single op
// CHECK: check {{ *}}output 0: ok

// EXPLAIN: remark: no scheduler is for this op
// EXPLAIN-NOT: remark:
fuser.fusion @f(%x: tensor<8x16xf32>, %i: tensor<8x6xi64>, %s: tensor<8x6xf32>) -> tensor<8x16xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<8x6xf32>, tensor<8x6xi64>, tensor<8x16xf32>
  fuser.return %0 : tensor<8x16xf32>
}

// Before, between and after kernels of other schedulers.
// OTHERS: single op   kernel 'among_others_2' computes 'fuser.scatter' alone, one element per thread
// OTHERS-NEXT: single op   kernel 'among_others_5' computes 'fuser.scatter' alone, one element per thread
// OTHERS-NOT: single op
// OTHERS: check {{ *}}output 0: ok
fuser.fusion @among_others(%x: tensor<16x8xf32>, %i: tensor<8x6xi64>, %s: tensor<8x6xf32>) -> tensor<8xf32> {
  %t = fuser.sum %x dims [0] : tensor<16x8xf32> -> tensor<8xf32>
  %b = fuser.broadcast %t dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %e = fuser.expand %b : tensor<1x8xf32> -> tensor<8x8xf32>
  %0 = fuser.scatter %s at %i into %e dim 1 : tensor<8x6xf32>, tensor<8x6xi64>, tensor<8x8xf32>
  %1 = fuser.sum %0 dims [0] : tensor<8x8xf32> -> tensor<8xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %3 = fuser.expand %2 : tensor<1x8xf32> -> tensor<8x8xf32>
  %4 = fuser.scatter %s at %i into %3 dim 1 : tensor<8x6xf32>, tensor<8x6xi64>, tensor<8x8xf32>
  %5 = fuser.sum %4 dims [0] : tensor<8x8xf32> -> tensor<8xf32>
  fuser.return %5 : tensor<8xf32>
}
