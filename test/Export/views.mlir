// RUN: fuser-opt %s --fuser-convert-host-to-gpu | FileCheck %s
// RUN: fuser-opt %s --fuser-convert-host-to-gpu | mlir-opt -o /dev/null
// Views of a host function: parts with steps, in another order, and with dimensions of size 1 that the base lacks.

// CHECK-LABEL: func.func @ordered(
// CHECK: %[[PART:.*]] = memref.subview %{{.*}}[0, 0] [2, 6] [2, 1] : memref<4x6xf32, strided<[6, 1]>> to memref<2x6xf32, strided<[12, 1]>>
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[S:.*]]:2 = memref.extract_strided_metadata %[[PART]]
// CHECK: memref.reinterpret_cast {{.*}} sizes: [6, 2], strides: [%[[S]]#1, %[[S]]#0] : {{.*}} to memref<6x2xf32
fuser.host @ordered(%x: tensor<4x6xf32>) -> tensor<6x2xf32> {
  %0 = fuser.view %x [0, 0] [2, 6] strides [2, 1] dims [1, 0] : tensor<4x6xf32> -> tensor<6x2xf32>
  fuser.return %0 : tensor<6x2xf32>
}

// CHECK-LABEL: func.func @ones(
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[S:.*]]:2 = memref.extract_strided_metadata
// CHECK: memref.reinterpret_cast {{.*}} sizes: [1, 6, 1, 4], strides: [1, %[[S]]#1, 1, %[[S]]#0] : {{.*}} to memref<1x6x1x4xf32
fuser.host @ones(%x: tensor<4x6xf32>) -> tensor<1x6x1x4xf32> {
  %0 = fuser.view %x [0, 0] [4, 6] dims [-1, 1, -1, 0] : tensor<4x6xf32> -> tensor<1x6x1x4xf32>
  fuser.return %0 : tensor<1x6x1x4xf32>
}
