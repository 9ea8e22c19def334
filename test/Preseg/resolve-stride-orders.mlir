// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-resolve-stride-orders))' | FileCheck %s
// RUN: fuser-opt %s --fuser-preseg | FileCheck %s --check-prefix=PRESEG
// S0.4: on an output a stride order is a requirement, on an intermediate it binds nobody.

// CHECK-LABEL: fuser.fusion @output
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK-NEXT: fuser.relu %x : tensor<?x?xf32>
// CHECK-NEXT: fuser.return
// PRESEG-LABEL: fuser.fusion @output
// PRESEG-SAME: output_orders = [array<i64: 1, 0>]
// PRESEG-NOT: stride_order
fuser.fusion @output(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.stride_order %0 [1, 0] : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: fuser.fusion @intermediate
// CHECK-NOT: output_orders
// CHECK: fuser.relu {{.*}}order = [1, 0], rule = "stride-order"
// CHECK-NEXT: fuser.neg
fuser.fusion @intermediate(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.stride_order %0 [1, 0] : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// An intermediate that is an output too: binds at that position only.
// CHECK-LABEL: fuser.fusion @both
// CHECK-SAME: output_orders = [array<i64: 1, 0>, unit]
// CHECK-NOT: layout_hint
fuser.fusion @both(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.stride_order %0 [1, 0] : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// S0.1: one value at two positions in different orders.
// CHECK-LABEL: fuser.fusion @twice
// CHECK-SAME: output_orders = [array<i64: 1, 0>, array<i64: 0, 1>]
// CHECK: fuser.return %[[V:.*]], %[[V]]
fuser.fusion @twice(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.stride_order %0 [1, 0] : tensor<?x?xf32>
  %2 = fuser.stride_order %0 [0, 1] : tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// The last word counts.
// CHECK-LABEL: fuser.fusion @chain
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK-NEXT: fuser.return %x
fuser.fusion @chain(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.stride_order %x [0, 1] : tensor<?x?xf32>
  %1 = fuser.stride_order %0 [1, 0] : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
