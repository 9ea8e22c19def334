// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --transform-interpreter | FileCheck %s --check-prefixes=CHECK,SCRIPT
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fuser-interpret-schedules)' | FileCheck %s
// Debian's own mlir-opt runs scripts of our transform ops, schedulers among them.

// CHECK-LABEL: fuser.kernel @relu
// CHECK-SAME: schedule = #fuser_sched.single_op
// CHECK: fuser.relu {{.*}}@block_x{{.*}}@thread_x
// SCRIPT: transform.fuser.apply
fuser.kernel @relu(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @relu in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %kernel with "single_op" : !transform.any_op
    %scheduled = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
