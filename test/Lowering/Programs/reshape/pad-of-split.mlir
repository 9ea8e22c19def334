// RUN: fuser-run %s --device=host --check | FileCheck %s
// One part is read at an offset, and merged with the other again.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%arg0: tensor<2048xf16>) -> (tensor<3584xf16>) {
    %0 = fuser.reshape %arg0 : tensor<2048xf16> -> tensor<512x4xf16>
    %cst = arith.constant 1.500000e+00 : f16
    %1 = fuser.pad %0 low [0, 0] high [0, 3] value %cst : tensor<512x4xf16>, f16 -> tensor<512x7xf16>
    %2 = fuser.reshape %1 : tensor<512x7xf16> -> tensor<3584xf16>
    %3 = fuser.gelu %2 : tensor<3584xf16>
    fuser.return %3 : tensor<3584xf16>
}
