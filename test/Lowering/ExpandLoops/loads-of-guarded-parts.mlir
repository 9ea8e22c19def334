// The loads of a thread's guarded elements are before the first of them: each branch would wait for its own before the next one begins.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s

// Three elements of a thread are in its row in any case.
// CHECK-LABEL: gpu.func @differences
// CHECK: %[[MISSING:.*]] = ub.poison : f32
// CHECK-COUNT-6: memref.load %reinterpret_cast
// CHECK: %{{.*}}:2 = scf.if %[[GUARD:.*]] -> (f32, f32) {
// CHECK-COUNT-2: memref.load %reinterpret_cast
// CHECK: scf.yield %[[MISSING]], %[[MISSING]]
// CHECK-NOT: memref.load
// CHECK-COUNT-3: memref.store
// CHECK: scf.if %[[GUARD]] {
// CHECK-NOT: memref.load
// CHECK: gpu.return
fuser.kernel @differences(%x: tensor<20000x1499xf32>) -> tensor<20000x1497xf32> {
  %0 = fuser.slice %x [0, 0] [20000, 1497] : tensor<20000x1499xf32> -> tensor<20000x1497xf32>
  %1 = fuser.slice %x [0, 2] [20000, 1497] : tensor<20000x1499xf32> -> tensor<20000x1497xf32>
  %2 = fuser.sub %1, %0 : tensor<20000x1497xf32>
  fuser.return %2 : tensor<20000x1497xf32>
}

// -----

// Not what is read at an index that is read itself: that load waits for the index.
// CHECK-LABEL: gpu.func @looked_up
// CHECK-NOT: ub.poison
// CHECK: gpu.return
fuser.kernel @looked_up(%x: tensor<20000x1499xf32>, %i: tensor<1499xi64>) -> tensor<20000x1497xf32> {
  %0 = fuser.slice %i [1] [1497] : tensor<1499xi64> -> tensor<1497xi64>
  %1 = fuser.index_select %x, %0 dim 1 : tensor<20000x1499xf32>, tensor<1497xi64> -> tensor<20000x1497xf32>
  fuser.return %1 : tensor<20000x1497xf32>
}

// -----

// Not where a part computes for longer than it waits.
// CHECK-LABEL: gpu.func @long
// CHECK-NOT: ub.poison
// CHECK: gpu.return
fuser.kernel @long(%x: tensor<20000x1499xf32>) -> tensor<20000x1497xf32> {
  %0 = fuser.slice %x [0, 0] [20000, 1497] : tensor<20000x1499xf32> -> tensor<20000x1497xf32>
  %1 = fuser.slice %x [0, 2] [20000, 1497] : tensor<20000x1499xf32> -> tensor<20000x1497xf32>
  %2 = fuser.sub %1, %0 : tensor<20000x1497xf32>
  %3 = fuser.erf %2 : tensor<20000x1497xf32>
  %4 = fuser.mul %3, %2 : tensor<20000x1497xf32>
  %5 = fuser.erf %4 : tensor<20000x1497xf32>
  fuser.return %5 : tensor<20000x1497xf32>
}
