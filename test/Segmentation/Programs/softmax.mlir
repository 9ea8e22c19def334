// RUN: fuser-run %s --device=host --check --sizes=33x50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x0 | FileCheck %s
// One read, one write.

// CHECK: kernels {{ *}}softmax_0: grid
// CHECK-NOT: softmax_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @softmax(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = fuser.exp %centered : tensor<?x?xf32>
  %sum = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %p = fuser.div %e, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %p : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
