// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-outline-kernels | FileCheck %s
// What ops demand of sizes and no fact can state, the host function checks before anything runs.

// CHECK-LABEL: fuser.host @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x6xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK: %[[ROWS:.*]] = arith.ceildivsi %{{.*}}, %{{.*}} : index
// CHECK: %[[ELEMENTS:.*]] = arith.muli %[[ROWS]], %{{.*}} : index
// CHECK: fuser.expect %[[ALL]], %[[ELEMENTS]] "sizes of 'fuser.reshape'"
// CHECK: fuser.launch
fuser.fusion @rows(%x: tensor<?x6xf32>) -> tensor<?x8xf32> {
  %0 = fuser.exp %x : tensor<?x6xf32>
  %1 = fuser.reshape %0 : tensor<?x6xf32> -> tensor<?x8xf32>
  fuser.return %1 : tensor<?x8xf32>
}

// -----

// A fact says it already, or the sizes do.
// CHECK-LABEL: fuser.host @known(
// CHECK-NOT: fuser.expect
fuser.fusion @known(%x: tensor<?xf32>, %y: tensor<?x16xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
    attributes {facts = [#fuser.fact<divisible 0[0], 8>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x8xf32>
  %2 = fuser.exp %y : tensor<?x16xf32>
  %3 = fuser.reshape %2 : tensor<?x16xf32> -> tensor<?x8xf32>
  fuser.return %1, %3 : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// Equal sizes are a fact; a product that is equal to a size is not.
// CHECK-LABEL: fuser.host @product(
// CHECK-SAME: facts = [#fuser.fact<equal 1[0], 2[0]>]
// CHECK: %[[P:.*]] = arith.muli
// CHECK: fuser.expect %[[P]], %{{.*}} "sizes of 'fuser.add'"
// CHECK-NOT: fuser.expect
fuser.fusion @product(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.add %y, %z : tensor<?xf32>
  %1 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.add %1, %0 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// -----

// A box is inside of its tensor: what the sizes do not prove is checked.
// CHECK-LABEL: fuser.host @slices(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[AT:[a-z0-9]+]]: index
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: fuser.expect at_most %{{.*}}, %[[N]] "box of 'fuser.slice'"
// CHECK: fuser.expect at_most %{{.*}}, %[[AT]] "box of 'fuser.slice'"
// CHECK: arith.floordivsi
// CHECK: fuser.expect at_most %{{.*}}, %{{.*}} "box of 'fuser.slice'"
// CHECK-NOT: fuser.expect
fuser.fusion @slices(%x: tensor<?xf32>, %at: index) -> (tensor<100xf32>, tensor<4xf32>) {
  %0 = fuser.slice %x [0] [100] : tensor<?xf32> -> tensor<100xf32>
  %1 = fuser.neg %0 : tensor<100xf32>
  %2 = fuser.slice %x [%at] [4] strides [3] : tensor<?xf32> -> tensor<4xf32>
  fuser.return %1, %2 : tensor<100xf32>, tensor<4xf32>
}

// -----

// A fact proves it.
// CHECK-LABEL: fuser.host @bounded(
// CHECK-NOT: fuser.expect
fuser.fusion @bounded(%x: tensor<?xf32>) -> tensor<90xf32> attributes {facts = [#fuser.fact<at_least 0[0], 100>]} {
  %0 = fuser.slice %x [10] [90] : tensor<?xf32> -> tensor<90xf32>
  %1 = fuser.neg %0 : tensor<90xf32>
  fuser.return %1 : tensor<90xf32>
}

// -----

// CHECK-LABEL: fuser.host @crop(
// CHECK: fuser.expect at_most %{{.*}}, %{{.*}} "box of 'fuser.pad'"
// CHECK-NOT: fuser.expect
fuser.fusion @crop(%x: tensor<?xf32>, %y: tensor<?xf32>, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.pad %x low [-10] high [0] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %1 = fuser.pad %y low [1] high [2] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: fuser.host @insert(
// CHECK: fuser.expect at_most %{{.*}}, %{{.*}} "box of 'fuser.insert_slice'"
// CHECK-NOT: fuser.expect
fuser.fusion @insert(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.insert_slice %x into %y [2] : tensor<4xf32> into tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
