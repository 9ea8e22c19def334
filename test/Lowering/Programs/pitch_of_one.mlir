// A dimension of one element with a pitch: its index is 0, so that the pitch limits no vector.
// RUN: fuser-run %s --device=host --check-accesses --check --program=row | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=rows --sizes=4x8x1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=rows --sizes=6x1x1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=between | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --program=row --no-run --dump-after=lowering | FileCheck %s --check-prefix=ROW
// RUN: fuser-opt %s --fuser-to-kernel-ir='target=h200' | FileCheck %s --check-prefix=PITCH
// RUN: fuser-run %s --device=host --program=pitch --no-run --dump-after=lowering | FileCheck %s --check-prefix=CALL
// CHECK: output 0: ok
// CHECK: output 1: ok

// One vector, and no stride among the arguments of the kernel.
// ROW-LABEL: gpu.func
// ROW-NOT: fuser_gpu.stride
// ROW: vector<4xf32>
fuser.fusion @row(%x: tensor<1x4xf32>) -> (tensor<4x1x1x1xf32>, tensor<1x2xf32>) attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.exp %x : tensor<1x4xf32>
  %1 = fuser.slice %0 [0, 2] [1, 2] : tensor<1x4xf32> -> tensor<1x2xf32>
  %2 = fuser.neg %1 : tensor<1x2xf32>
  %3 = fuser.reshape %0 : tensor<1x4xf32> -> tensor<4x1x1x1xf32>
  fuser.return %3, %2 : tensor<4x1x1x1xf32>, tensor<1x2xf32>
}

// The fastest but one, of dynamic rows.
fuser.fusion @rows(%x: tensor<?x?x1x1xf32>) -> (tensor<1x?x2xf32>, tensor<?x1x1xf32>) attributes {arg_layouts = [#fuser.layout<order = [2, 1, 3, 0], strided = [2]>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?x1x1xf32> -> tensor<?x1x1xf32>
  %1 = fuser.reshape %x : tensor<?x?x1x1xf32> -> tensor<1x?x2xf32>
  fuser.return %1, %0 : tensor<1x?x2xf32>, tensor<?x1x1xf32>
}

// Not the slowest of the argument's own order.
fuser.fusion @between(%x: tensor<4x1x8xf32>) -> (tensor<4x1xf32>, tensor<2x1x2x1xf32>) attributes {arg_layouts = [#fuser.layout<order = [1, 0, 2], strided = [0]>]} {
  %0 = fuser.sum %x dims [2] : tensor<4x1x8xf32> -> tensor<4x1xf32>
  %1 = fuser.reshape %0 : tensor<4x1xf32> -> tensor<2x1x2x1xf32>
  fuser.return %0, %1 : tensor<4x1xf32>, tensor<2x1x2x1xf32>
}

// A pitch between several rows is read, and does limit the vectors. That of a call may be divisible.
// PITCH-LABEL: gpu.func @pitch_0
// PITCH-NOT: vector<4xf32>
// PITCH: gpu.return
// CALL-LABEL: gpu.func @pitch_0
// CALL: vector.load {{.*}} vector<4xf32>
fuser.fusion @pitch(%x: tensor<2x4xf32>) -> tensor<2x4xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.exp %x : tensor<2x4xf32>
  fuser.return %0 : tensor<2x4xf32>
}
