// RUN: fuser-translate %s --fuser-to-artifact-text --target=h200 | FileCheck %s
// The kernel of a batch says which parameters of a launch its code takes as arrays, and which one by one.

// CHECK: kernel 0 list_batch: {{.*}} bytes, parameter_run 3, parameter_run 3, parameter_run 1, parameter_run 3, parameter_run 3{{$}}
// CHECK: .entry list_batch(
// CHECK-NEXT: .param .align 8 .b8 list_batch_param_0[24],
// CHECK-NEXT: .param .align 8 .b8 list_batch_param_1[24],
// CHECK-NEXT: .param .f32 list_batch_param_2,
// CHECK-NEXT: .param .align 8 .b8 list_batch_param_3[24],
// CHECK-NEXT: .param .align 8 .b8 list_batch_param_4[24]

fuser.fusion @list(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %s: f32)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.mul %x, %s : (tensor<?xf32>, f32) -> tensor<?xf32>
  %1 = fuser.mul %y, %s : (tensor<?xf32>, f32) -> tensor<?xf32>
  %2 = fuser.mul %z, %s : (tensor<?xf32>, f32) -> tensor<?xf32>
  fuser.return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
