// Code is located at the op that it computes.
// RUN: fuser-opt %s --fuser-lower-kernels --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

#d = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 128) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x, i2 @vectorize]>
// CHECK: gpu.func @f
// CHECK-DAG: vector.load {{.*}} loc("load")
// CHECK-DAG: math.exp {{.*}} loc("exp")
// CHECK-DAG: vector.store {{.*}} loc("store")
fuser.kernel @f(%x: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 2 : i64} : tensor<?xf32> loc("load")
  %1 = fuser.exp %0 {domains = [#d], inline_at = 2 : i64} : tensor<?xf32> loc("exp")
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32> loc("store")
  fuser.return %2 : tensor<?xf32>
} loc("kernel")

#r = #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_x]>
#l = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
// CHECK: gpu.func @sum
// CHECK-DAG: gpu.shuffle {{.*}} loc("sum")
// CHECK-DAG: gpu.barrier {{.*}}loc("sum")
// CHECK-DAG: memref.store {{.*}} loc("store sum")
fuser.kernel @sum(%x: tensor<?x128xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {domains = [#l], inline_at = 2 : i64} : tensor<?x128xf32> loc("load")
  %1 = fuser.sum %0 dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x128xf32> -> tensor<?xf32> loc("sum")
  %2 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32> loc("store sum")
  fuser.return %2 : tensor<?xf32>
} loc("kernel")
