// RUN: fuser-opt %s --fuser-lower-kernels | FileCheck %s
// Unswitched loops are written out while that makes few copies of their body: of the two the inner one stays a loop.

// CHECK-LABEL: gpu.func @few
// CHECK-NOT: scf.for
// CHECK: gpu.return
fuser.kernel @few(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = fuser.neg %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @unswitch, i1 @unswitch]>]} : tensor<8x32xf32>
  fuser.return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: gpu.func @many
// CHECK-COUNT-51: scf.for
// CHECK-NOT: scf.for
// CHECK: gpu.return
fuser.kernel @many(%x: tensor<51x26xf32>) -> tensor<51x26xf32> {
  %0 = fuser.neg %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @unswitch, i1 @unswitch]>]} : tensor<51x26xf32>
  fuser.return %0 : tensor<51x26xf32>
}
