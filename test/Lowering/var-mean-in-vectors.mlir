// RUN: fuser-opt %s --fuser-lower-kernels | FileCheck %s
// The lanes of a vector accumulate as many elements: Welford's update divides once for all of them,
// without the branch of an exact reciprocal.

// CHECK-LABEL: gpu.func @columns
// CHECK: scf.for
// CHECK-NOT: arith.divf
// CHECK: %[[RECIPROCAL:.*]] = fuser_gpu.approx rcp %[[COUNT:.*]] ftz : f32
// CHECK: %[[NEGATED:.*]] = arith.negf %[[COUNT]] : f32
// CHECK: %[[REST:.*]] = math.fma %[[NEGATED]], %[[RECIPROCAL]], %{{.*}} : f32
// CHECK: %[[WEIGHT:.*]] = math.fma %[[REST]], %[[RECIPROCAL]], %[[RECIPROCAL]] : f32
// CHECK: vector.broadcast %[[WEIGHT]] : f32 to vector<4xf32>
// CHECK-NOT: arith.divf
// CHECK: }
#d = #fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), loop = [i2 @block_x, r0, i3 @vectorize], allocation = [i1]>
#x = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i2 @block_x, i0, i3 @vectorize], allocation = [i0, i1]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize], allocation = [i0]>
fuser.kernel @columns(%x: tensor<?x64xf32>) -> tensor<64xf32>
    attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %c = fuser.set %x {domains = [#x], inline_at = 3 : i64} : tensor<?x64xf32>
  %v, %m = fuser.var_mean %c dims [0] correction 0 {domains = [#d, #d], inline_at = 1 : i64} : tensor<?x64xf32> -> tensor<64xf32>, tensor<64xf32>
  %1 = fuser.set %v {domains = [#o], memory = #fuser.memory<global>} : tensor<64xf32>
  fuser.return %1 : tensor<64xf32>
}
