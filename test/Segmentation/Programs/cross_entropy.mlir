// RUN: fuser-run %s --device=host --check --sizes=33x50,33 --range target=0:50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x4096,5 --range target=0:4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1 --range target=0:1 | FileCheck %s
// The mean loss: a kernel over rows, which are read once, and one over what it made of them; no row of logarithms is stored.

// CHECK: kernels {{ *}}cross_entropy_0: grid
// CHECK: cross_entropy_1: grid
// CHECK-NOT: cross_entropy_2: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @cross_entropy(%logits: tensor<?x?xbf16>, %target: tensor<?xi64>) -> tensor<f32> {
  %xf = fuser.cast %logits : tensor<?x?xbf16> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = fuser.exp %centered : tensor<?x?xf32>
  %sum = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %l = fuser.log %sum : tensor<?xf32>
  %lb = fuser.broadcast %l dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %logp = fuser.sub %centered, %lb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %t = fuser.broadcast %target dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %picked = fuser.take_along_axis %logp, %t dim 1 : tensor<?x?xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  %p = fuser.squeeze %picked dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  %nll = fuser.neg %p : tensor<?xf32>
  %loss = fuser.mean %nll dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %loss : tensor<f32>
}
