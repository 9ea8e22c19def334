// A fusion that a script schedules as one kernel, which no scheduler accepts.
// RUN: fuser-opt %s --fuser-segment-fusions | FileCheck %s

// CHECK-LABEL: fuser.kernel @one_0(
// CHECK: fuser.matmul
// CHECK: fuser.exp
// CHECK-NOT: fuser.kernel @one_1
// CHECK-LABEL: fuser.host @one(
fuser.fusion @one(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {fuser_sched.one_kernel} {
  %0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: fuser.kernel @two_0(
// CHECK-LABEL: fuser.kernel @two_1(
fuser.fusion @two(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
