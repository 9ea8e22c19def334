// RUN: fuser-run %s --device=host --check --sizes=33x50,50,50 --scalar eps=1e-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x4096,4096,4096 --scalar eps=1e-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1,1 --scalar eps=1e-5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5,5,5 --scalar eps=1e-5 | FileCheck %s
// One read, one write.

// CHECK: kernels {{ *}}layer_norm_gelu_0: grid
// CHECK-NOT: layer_norm_gelu_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @layer_norm_gelu(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>, %b: tensor<?xbf16>, %eps: f32) -> tensor<?x?xbf16> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 0.70710678118 : f32
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %bf = fuser.cast %b : tensor<?xbf16> to tensor<?xf32>
  %var, %mean = fuser.var_mean %xf dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %shifted = fuser.add %var, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rstd = fuser.rsqrt %shifted : tensor<?xf32>
  %m = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %r = fuser.broadcast %rstd dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %bb = fuser.broadcast %bf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %normal = fuser.mul %centered, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %scaled = fuser.mul %normal, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %biased = fuser.add %scaled, %bb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %u = fuser.mul %biased, %k : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %erf = fuser.erf %u : tensor<?x?xf32>
  %erf1 = fuser.add %erf, %one : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %h = fuser.mul %biased, %half : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %g = fuser.mul %h, %erf1 : tensor<?x?xf32>
  %0 = fuser.cast %g : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
