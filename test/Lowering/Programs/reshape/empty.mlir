// Reshapes of empty tensors: an empty dimension matches any others.
// RUN: fuser-run %s --program=rows --device=host --check --sizes=0x33x33 | FileCheck %s
// RUN: fuser-run %s --program=columns --device=host --check --sizes=33x0 | FileCheck %s
// RUN: fuser-run %s --program=several --device=host --check --sizes=200x0x0 | FileCheck %s
// RUN: fuser-run %s --program=fewer --device=host --check --sizes=5x0x0 | FileCheck %s

// CHECK: output 0: ok
module {
  fuser.fusion @rows(%x: tensor<0x33x33xf32>) -> tensor<33x1xf32> {
    %0 = fuser.reshape %x : tensor<0x33x33xf32> -> tensor<1x0x33xf32>
    %1 = fuser.permute %0 [2, 0, 1] : tensor<1x0x33xf32> -> tensor<33x1x0xf32>
    %2 = fuser.sum %1 dims [2] : tensor<33x1x0xf32> -> tensor<33x1xf32>
    fuser.return %2 : tensor<33x1xf32>
  }

  fuser.fusion @columns(%x: tensor<33x0xf32>) -> tensor<0x4xf32> {
    %0 = fuser.reshape %x : tensor<33x0xf32> -> tensor<0x4xf32>
    %1 = fuser.exp %0 : tensor<0x4xf32>
    fuser.return %1 : tensor<0x4xf32>
  }

  // One empty dimension of the result is the product of the operand's; the other one is a dimension of its own.
  fuser.fusion @several(%x: tensor<200x0x0xf32>) -> tensor<50x2x0x0xf32> {
    %0 = fuser.reshape %x : tensor<200x0x0xf32> -> tensor<50x2x0x0xf32>
    %1 = fuser.cat %0, %0 dim 2 : (tensor<50x2x0x0xf32>, tensor<50x2x0x0xf32>) -> tensor<50x2x0x0xf32>
    fuser.return %1 : tensor<50x2x0x0xf32>
  }

  fuser.fusion @fewer(%x: tensor<5x0x0xf32>) -> tensor<f32> {
    %0 = fuser.reshape %x : tensor<5x0x0xf32> -> tensor<0x0xf32>
    %1 = fuser.sum %0 dims [0, 1] : tensor<0x0xf32> -> tensor<f32>
    fuser.return %1 : tensor<f32>
  }
}
