// RUN: fuser-opt %s --fuser-apply-schedules -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: fuser-opt %t.once --fuser-apply-schedules | diff %t.once -
// Kernels without parameters and kernels that are scheduled stay as they are.

// CHECK-LABEL: fuser.kernel @without
// CHECK-NEXT: fuser.exp %x : tensor<128xf32>
fuser.kernel @without(%x: tensor<128xf32>) -> tensor<128xf32> {
  %0 = fuser.exp %x : tensor<128xf32>
  fuser.return %0 : tensor<128xf32>
}

// CHECK-LABEL: fuser.kernel @parameters
// CHECK-NEXT: fuser.set %x {domains = {{.*}}@block_x
fuser.kernel @parameters(%x: tensor<128xf32>) -> tensor<128xf32> attributes {schedule = #fuser_sched.pointwise<vector = 4>} {
  %0 = fuser.exp %x : tensor<128xf32>
  fuser.return %0 : tensor<128xf32>
}

// CHECK-LABEL: fuser.kernel @scheduled
// CHECK-NEXT: fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x], allocation = [i0]>], memory = #fuser.memory<global>}
// CHECK-NEXT: fuser.return
fuser.kernel @scheduled(%x: tensor<128xf32>) -> tensor<128xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<128xf32>
  fuser.return %0 : tensor<128xf32>
}

// CHECK-LABEL: fuser.kernel @scheduled_by_hand
// CHECK-NEXT: fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x], allocation = [i0]>], memory = #fuser.memory<global>}
// CHECK-NEXT: fuser.return
fuser.kernel @scheduled_by_hand(%x: tensor<128xf32>) -> tensor<128xf32> attributes {schedule = #fuser_sched.pointwise<vector = 4>} {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<128xf32>
  fuser.return %0 : tensor<128xf32>
}
