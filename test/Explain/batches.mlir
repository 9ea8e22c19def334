// RUN: fuser-explain %s --target=h200 | FileCheck %s
// RUN: fuser-explain %s --target=h200 --format=json | FileCheck %s --check-prefix=JSON
// S3.8: the report says which launches become one, and what that is predicted to save.

// CHECK: fused       3 kernels, {{.*}} 3.3 us
// CHECK: launches
// CHECK-NEXT: @f_0 ins(%x, %s) outs(%0) batch 0
// CHECK-NEXT: @f_1 ins(%y, %s) outs(%2) batch 0
// CHECK-NEXT: @f_2 ins(%z, %s) outs(%4) batch 0
// CHECK-NEXT: batch 0: one launch instead of 3, 3.3 us instead of 9.9 us
// JSON: "batches": [
// JSON: "launches": 3,
// JSON: "batch": 0,
fuser.fusion @f(%x: tensor<100xf32>, %y: tensor<30x7xf32>, %z: tensor<100xf32>, %s: f32) -> (tensor<100xf32>, tensor<30x7xf32>, tensor<100xf32>) {
  %0 = fuser.mul %x, %s : (tensor<100xf32>, f32) -> tensor<100xf32>
  %1 = fuser.mul %y, %s : (tensor<30x7xf32>, f32) -> tensor<30x7xf32>
  %2 = fuser.mul %z, %s : (tensor<100xf32>, f32) -> tensor<100xf32>
  fuser.return %0, %1, %2 : tensor<100xf32>, tensor<30x7xf32>, tensor<100xf32>
}
