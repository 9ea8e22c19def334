// RUN: fuser-explain %s 2>/dev/null | FileCheck %s
// What a launch reads of a tensor that it gets as a view.

// CHECK: launches
// CHECK-NEXT: @heads_0 ins(%w, %x as ?x4x16) outs(%{{.*}})
fuser.fusion @heads(%x: tensor<?x64xf32>, %w: tensor<16xf32>) -> tensor<?x4x16xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  %1 = fuser.broadcast %w dims [0, 1] : tensor<16xf32> -> tensor<1x1x16xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x4x16xf32>, tensor<1x1x16xf32>) -> tensor<?x4x16xf32>
  fuser.return %2 : tensor<?x4x16xf32>
}
