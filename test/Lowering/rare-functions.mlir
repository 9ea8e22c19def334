// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// What few elements need is computed in a branch, which all lanes of a vector skip if none needs it.

// The reflection of negative arguments; the reciprocal of the others is approximated and refined.
// CHECK-LABEL: gpu.func @negative
// CHECK: %[[X:.*]] = vector.load
// CHECK-NOT: math.log
// CHECK: fuser_gpu.approx rcp
// CHECK-NOT: math.log
// CHECK: %[[RARE:.*]] = arith.ori {{.*}} : vector<4xi1>
// CHECK: %[[LANES:.*]]:4 = vector.to_elements %[[RARE]]
// CHECK-COUNT-3: arith.ori {{.*}} : i1
// CHECK: scf.if %{{.*}} -> (f32, f32, f32, f32) {
// CHECK: math.roundeven
// CHECK: math.log {{.*}} : vector<4xf32>
// CHECK: arith.select %[[RARE]]
// CHECK: } else {
// CHECK-NOT: math
// CHECK: vector.store
// CHECK-NOT: f64
// CHECK: gpu.return
fuser.kernel @negative(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = fuser.lgamma %x : tensor<1048576xf32>
  fuser.return %0 : tensor<1048576xf32>
}

// -----

// One element, and a division in the branch.
// CHECK-LABEL: gpu.func @scalar
// CHECK-NOT: arith.divf
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK: arith.divf
// CHECK: } else {
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @scalar(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = fuser.digamma %x : tensor<1xf32>
  fuser.return %0 : tensor<1xf32>
}

// -----

// f64 has no rare values: both are selected.
// CHECK-LABEL: gpu.func @double
// CHECK-NOT: scf.if
// CHECK: gpu.return
fuser.kernel @double(%x: tensor<1048576xf64>) -> tensor<1048576xf64> {
  %0 = fuser.lgamma %x : tensor<1048576xf64>
  fuser.return %0 : tensor<1048576xf64>
}
