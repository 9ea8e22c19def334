// RUN: fuser-explain %s --program=heads 2>/dev/null | FileCheck %s
// RUN: fuser-explain %s --program=alone 2>/dev/null | FileCheck %s --check-prefix=ALONE
// RUN: fuser-explain %s --program=beside 2>/dev/null | FileCheck %s --check-prefix=BESIDE
// What a launch reads of a tensor that it gets as a view.

// CHECK: launches
// CHECK-NEXT: @heads_0 ins(%w, %x as ?x4x16) outs(%{{.*}})
fuser.fusion @heads(%x: tensor<?x64xf32>, %w: tensor<16xf32>) -> tensor<?x4x16xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  %1 = fuser.broadcast %w dims [0, 1] : tensor<16xf32> -> tensor<1x1x16xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x4x16xf32>, tensor<1x1x16xf32>) -> tensor<?x4x16xf32>
  fuser.return %2 : tensor<?x4x16xf32>
}

// S2.5: a view needs no kernel.
// ALONE: fused {{ *}}0 kernels, 0 B read, 0 B written, 0.0 us
// ALONE: segment 0 no kernel
fuser.fusion @alone(%x: tensor<?x64xf32>) -> tensor<?x4x16xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  fuser.return %0 : tensor<?x4x16xf32>
}

// The segment of the kernel has its name.
// BESIDE: fused {{ *}}1 kernel,
// BESIDE: segment 0  @beside_0
// BESIDE: segment 1  no kernel
fuser.fusion @beside(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
