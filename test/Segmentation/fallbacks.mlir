// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-segment-fusions | FileCheck %s
// What segmentation does with requests that it cannot grant, and with ops that no scheduler is for.

// A segment_set with users in different segments: its value is stored once and read by both, and lives until the last.
// CHECK-LABEL: fuser.kernel @users_0
// CHECK: fuser.segment_set
// CHECK-LABEL: fuser.kernel @users_1
// CHECK-NEXT: fuser.neg
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @users_2
// CHECK-NEXT: fuser.sum
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.host @users
// CHECK: %[[S:.*]] = fuser.launch @users_0
// CHECK: fuser.launch @users_1 ins({{.*}}%[[S]]
// CHECK-NOT: fuser.free
// CHECK: fuser.launch @users_2 ins({{.*}}%[[S]]
// CHECK: fuser.free %[[S]]
fuser.fusion @users(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %s = fuser.segment_set %0 : tensor<?x?xf32>
  %1 = fuser.neg %s : tensor<?x?xf32>
  %2 = fuser.sum %s dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// An op that no scheduler is for runs alone, and a remark says so: no silent slow path.
// CHECK-LABEL: fuser.kernel @product_0
// CHECK-NEXT: fuser.matmul
// CHECK-LABEL: fuser.kernel @product_1
// CHECK-NEXT: fuser.relu
fuser.fusion @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-remark @below {{no scheduler is for this op: 'single_op' runs it alone, which is slow}}
  %0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.relu %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
