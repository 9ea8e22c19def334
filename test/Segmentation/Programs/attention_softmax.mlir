// RUN: fuser-run %s --device=host --check --sizes=2x3x5x40,2x1x5x40 --scalar scale=0.1 --scalar low=-10000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x2x3x1024,1x1x3x1024 --scalar scale=0.1 --scalar low=-10000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1x1,1x1x1x1 --scalar scale=0.1 --scalar low=-10000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x2x3x8,0x1x3x8 --scalar scale=0.1 --scalar low=-10000 | FileCheck %s
// The chain between the two products of attention: scale, mask, softmax.

// CHECK: kernels {{ *}}attention_softmax_0: grid
// CHECK-NOT: attention_softmax_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @attention_softmax(%scores: tensor<?x?x?x?xbf16>, %mask: tensor<?x1x?x?xi1>, %scale: f32, %low: f32) -> tensor<?x?x?x?xbf16> {
  %sf = fuser.cast %scores : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %scaled = fuser.mul %sf, %scale : (tensor<?x?x?x?xf32>, f32) -> tensor<?x?x?x?xf32>
  %xf = fuser.where %mask, %scaled, %low : (tensor<?x1x?x?xi1>, tensor<?x?x?x?xf32>, f32) -> tensor<?x?x?x?xf32>
  %max = fuser.max %xf dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %m = fuser.broadcast %max dims [3] : tensor<?x?x?xf32> -> tensor<?x?x?x1xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?x?x?xf32>, tensor<?x?x?x1xf32>) -> tensor<?x?x?x?xf32>
  %e = fuser.exp %centered : tensor<?x?x?x?xf32>
  %sum = fuser.sum %e dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %s = fuser.broadcast %sum dims [3] : tensor<?x?x?xf32> -> tensor<?x?x?x1xf32>
  %p = fuser.div %e, %s : (tensor<?x?x?x?xf32>, tensor<?x?x?x1xf32>) -> tensor<?x?x?x?xf32>
  %0 = fuser.cast %p : tensor<?x?x?x?xf32> to tensor<?x?x?x?xbf16>
  fuser.return %0 : tensor<?x?x?x?xbf16>
}
