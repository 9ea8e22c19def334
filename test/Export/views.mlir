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

// Groups of dimensions: the strides of each group are those of its fastest dimension that is longer than 1, if there is one.
// CHECK-LABEL: func.func @groups(
// CHECK: %{{.*}}, %[[O:.*]], %{{.*}}:4, %[[S:.*]]:4 = memref.extract_strided_metadata
// CHECK-DAG: %[[HIGH:.*]] = arith.muli %[[S]]#0, %c3{{.*}} : index
// CHECK-DAG: %[[LOW:.*]] = arith.muli %[[S]]#2, %c2{{.*}} : index
// CHECK: memref.reinterpret_cast {{.*}} to offset: [%[[O]]], sizes: [2, 3, 1, 4, 2], strides: [%[[HIGH]], %[[S]]#0, 1, %[[LOW]], %[[S]]#2] :
fuser.host @groups(%x: tensor<6x1x8x1xf32>) -> tensor<2x3x1x4x2xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3], strided = [0, 1, 2, 3]>]} {
  %0 = fuser.reshape_view %x [2, 3, 1, 4, 2] groups [1, 1, 2] to [2, 1, 2] : tensor<6x1x8x1xf32> -> tensor<2x3x1x4x2xf32>
  fuser.return %0 : tensor<2x3x1x4x2xf32>
}
