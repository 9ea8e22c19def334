// RUN: fuser-opt %s --fuser-lower-kernels | FileCheck %s
// Indices have 32 bits where everything that is numbered fits, between arguments and outputs too.

#t = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>

// CHECK-LABEL: gpu.module @small attributes {fuser_gpu.index_bits = 32 : i32}
fuser.kernel @small(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = fuser.neg %x {memory = #fuser.memory<global>, domains = [#t]} : tensor<1000x1000xf32>
  fuser.return %0 : tensor<1000x1000xf32>
}

// CHECK-LABEL: gpu.module @large attributes {fuser_gpu.index_bits = 64 : i32}
fuser.kernel @large(%x: tensor<65536x65536xf32>) -> tensor<65536x65536xf32> {
  %0 = fuser.neg %x {memory = #fuser.memory<global>, domains = [#t]} : tensor<65536x65536xf32>
  fuser.return %0 : tensor<65536x65536xf32>
}

// CHECK-LABEL: gpu.module @unknown attributes {fuser_gpu.index_bits = 64 : i32}
fuser.kernel @unknown(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {memory = #fuser.memory<global>, domains = [#t]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: gpu.module @bounded attributes {fuser_gpu.index_bits = 32 : i32}
fuser.kernel @bounded(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<elements_at_most 0, 1000000>, #fuser.fact<elements_at_most 1, 1000000>]} {
  %0 = fuser.exp %x {inline_at = 2 : i64, domains = [#t]} : tensor<?x?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#t]} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// An outer product has 2^32 elements, its factors and its sum do not.
// CHECK-LABEL: gpu.module @outer_product attributes {fuser_gpu.index_bits = 64 : i32}
#c = #fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, split(i2, 128) -> (i3, i4), loop = [i3, i4 @thread_x]>
#r = #fuser.domain<logical = [b0, i1], merge(b0, i1) -> i2, split(i2, 128) -> (i3, i4), loop = [i3, i4 @thread_x]>
#p = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4), loop = [i3, i4 @thread_x]>
#s = #fuser.domain<logical = [r0, r1], merge(r0, r1) -> r2, split(r2, 128) -> (r3, r4), loop = [r3, r4 @thread_x]>
fuser.kernel @outer_product(%x: tensor<65536xf32>, %y: tensor<65536xf32>) -> tensor<f32> {
  %0 = fuser.broadcast %x dims [1] {inline_at = 2 : i64, domains = [#c]} : tensor<65536xf32> -> tensor<65536x1xf32>
  %1 = fuser.broadcast %y dims [0] {inline_at = 2 : i64, domains = [#r]} : tensor<65536xf32> -> tensor<1x65536xf32>
  %2 = fuser.mul %0, %1 {inline_at = 2 : i64, domains = [#p]} : (tensor<65536x1xf32>, tensor<1x65536xf32>) -> tensor<65536x65536xf32>
  %3 = fuser.max %2 dims [0, 1] {domains = [#s]} : tensor<65536x65536xf32> -> tensor<f32>
  %4 = fuser.set %3 {memory = #fuser.memory<global>} : tensor<f32>
  fuser.return %4 : tensor<f32>
}
