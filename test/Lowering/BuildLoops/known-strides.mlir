// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-build-loops)" | FileCheck %s

// A stride that a fact states is a number in the loops; any other one is an argument. That of a dimension of one element does not matter.
// CHECK-LABEL: fuser_loop.kernel @known(
// CHECK-SAME: #fuser_gpu.pointer<0> strides [256, 3]
// CHECK-NOT: #fuser_gpu.stride
// CHECK: fuser_loop.for
fuser.kernel @known(%x: tensor<100x50xf32>) -> tensor<100x50xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0, 1]>], facts = [#fuser.fact<stride_is 0[0], 256>, #fuser.fact<stride_is 0[1], 3>]} {
  %0 = fuser.exp %x : tensor<100x50xf32>
  fuser.return %0 : tensor<100x50xf32>
}

// -----

// CHECK-LABEL: fuser_loop.kernel @unknown(
// CHECK-SAME: #fuser_gpu.stride<0, 0>
// CHECK-NOT: #fuser_gpu.stride<0, 1>
// CHECK: fuser_loop.for
fuser.kernel @unknown(%x: tensor<100x50xf32>) -> tensor<100x50xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0, 1]>], facts = [#fuser.fact<stride_divisible 0[0], 16>, #fuser.fact<stride_is 0[1], 3>]} {
  %0 = fuser.exp %x : tensor<100x50xf32>
  fuser.return %0 : tensor<100x50xf32>
}
