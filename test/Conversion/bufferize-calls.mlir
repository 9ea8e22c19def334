// RUN: fuser-opt %s --split-input-file --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-unknown-ops" \
// RUN:   | FileCheck %s
// RUN: not fuser-opt %s --split-input-file --one-shot-bufferize="bufferize-function-boundaries allow-unknown-ops" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLACE
// A call of a fusion takes and gives buffers that lie as facts and requirements say.

fuser.fusion @ordered(%x: tensor<8x4xf32>, %y: tensor<?x4xf32>) -> (tensor<8x4xf32>, tensor<?x4xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit], output_orders = [array<i64: 1, 0>, unit]} {
  %0 = fuser.exp %x : tensor<8x4xf32>
  %1 = fuser.neg %y : tensor<?x4xf32>
  fuser.return %0, %1 : tensor<8x4xf32>, tensor<?x4xf32>
}

// A buffer that may lie otherwise is copied into one that lies so: allocated in that order, seen through a transposition.
// CHECK-LABEL: func.func @call(
// CHECK-SAME: %[[X:.*]]: memref<8x4xf32>, %[[Y:.*]]: memref<?x4xf32>
// CHECK: %[[A:.*]] = memref.alloc() {{.*}}: memref<4x8xf32>
// CHECK: %[[T:.*]] = memref.transpose %[[A]] (d0, d1) -> (d1, d0)
// CHECK: memref.copy %[[X]], %[[T]]
// CHECK: fuser.call @ordered(%[[T]], %[[Y]])
// CHECK-SAME: (memref<8x4xf32, strided<[1, 8]>>, memref<?x4xf32>)
// CHECK-SAME: -> (memref<8x4xf32, strided<[1, 8]>>, memref<?x4xf32, strided<[?, ?]>>)
func.func @call(%x: tensor<8x4xf32>, %y: tensor<?x4xf32>) -> (tensor<8x4xf32>, tensor<?x4xf32>) {
  %0:2 = fuser.call @ordered(%x, %y) : (tensor<8x4xf32>, tensor<?x4xf32>) -> (tensor<8x4xf32>, tensor<?x4xf32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<?x4xf32>
}

fuser.fusion @in_place(%acc: tensor<8xf32>, %x: tensor<8xf32>) -> tensor<8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.add %acc, %x : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// An argument that is stored into is read after no call: here it is, so the call gets a copy.
// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[ACC:.*]]: memref<8xf32>, %[[X:.*]]: memref<8xf32>
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: memref.copy %[[ACC]], %[[COPY]]
// CHECK: fuser.call @in_place(%[[COPY]], %[[X]]) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
func.func @update(%acc: tensor<8xf32>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = fuser.call @in_place(%acc, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %acc : tensor<8xf32>, tensor<8xf32>
}

// -----

fuser.fusion @in_place(%acc: tensor<8xf32>) -> tensor<8xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.neg %acc : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}
// A buffer of unknown strides is none to store into.
// PLACE: error: {{.*}}expected a buffer of type 'memref<8xf32>' for argument 0, which is stored into, but got 'memref<8xf32, strided<[?], offset: ?>>'
func.func @update(%acc: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.call @in_place(%acc) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
