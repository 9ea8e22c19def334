// RUN: fuser-run %s --device=host --check --program=whole | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined | FileCheck %s
// S0.1: an output that is stored in an argument has the order of the argument, also if its value has another one and its kernel
// cannot write it in place.

// CHECK: output 0: ok
// CHECK: output 1: ok

fuser.fusion @whole(%x: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.permute %x [1, 0] : tensor<4x4xi32> -> tensor<4x4xi32>
  %1 = fuser.neg %x : tensor<4x4xi32>
  fuser.return %0, %1 : tensor<4x4xi32>, tensor<4x4xi32>
}

fuser.fusion @joined(%x: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<8x4xi32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.permute %x [1, 0] : tensor<4x4xi32> -> tensor<4x4xi32>
  %1 = fuser.cat %0, %0 dim 0 : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<8x4xi32>
  fuser.return %0, %1 : tensor<4x4xi32>, tensor<8x4xi32>
}
