// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// A size of a value of the kernel is computed from those of its arguments.

#fused = #fuser.domain<logical = [i0], loop = [i0]>

// CHECK-LABEL: fuser_loop.kernel @size
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>
// CHECK: %[[SIZE:.*]] = arith.addi %[[N]], %c3
// CHECK: arith.index_cast %[[SIZE]] : index to i64
fuser.kernel @size(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [1] high [2] value %zero {domains = [#fused], memory = #fuser.memory<global>} : tensor<?xf32>, f32 -> tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  %1 = fuser.pad %0 low [0] high [1] value %f {domains = [#fused], memory = #fuser.memory<global>} : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
