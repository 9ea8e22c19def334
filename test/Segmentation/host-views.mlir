// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | FileCheck %s
// Ops that only choose elements of an argument are views on the host: no kernel copies.
// CHECK-NOT: fuser.kernel

// CHECK-LABEL: fuser.host @squeeze
// CHECK: fuser.view %x [0, 0, 0] [%{{.*}}, 1, 8] dims [0, 2] : tensor<?x1x8xf32> -> tensor<?x8xf32>
fuser.fusion @squeeze(%x: tensor<?x1x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.squeeze %x dims [1] : tensor<?x1x8xf32> -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: fuser.host @broadcast
// CHECK: fuser.view %x [0, 0] [%{{.*}}, 8] dims [0, -1, 1] : tensor<?x8xf32> -> tensor<?x1x8xf32>
fuser.fusion @broadcast(%x: tensor<?x8xf32>) -> tensor<?x1x8xf32> {
  %0 = fuser.broadcast %x dims [1] : tensor<?x8xf32> -> tensor<?x1x8xf32>
  fuser.return %0 : tensor<?x1x8xf32>
}

// -----

// CHECK-LABEL: fuser.host @permute
// CHECK: fuser.view %x [0, 0] [%{{.*}}, 8] dims [1, 0] : tensor<?x8xf32> -> tensor<8x?xf32>
fuser.fusion @permute(%x: tensor<?x8xf32>) -> tensor<8x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x8xf32> -> tensor<8x?xf32>
  fuser.return %0 : tensor<8x?xf32>
}

// -----

// CHECK-LABEL: fuser.host @slice
// CHECK: fuser.view %x [0, 2] [4, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
fuser.fusion @slice(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %0 = fuser.slice %x [0, 2] [4, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
  fuser.return %0 : tensor<4x3xf32>
}
