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
