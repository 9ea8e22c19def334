// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-interpret-schedules | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-interpret-schedules=only-erase | FileCheck %s --check-prefix=ERASE
// The script is run and taken away; what else stands beside a named sequence stays.

// CHECK-LABEL: fuser.kernel @copy
// CHECK: loop = [i{{[0-9]+}}, i{{[0-9]+}}]
// CHECK-NOT: transform.
// CHECK-NOT: module @schedule
// ERASE-LABEL: fuser.kernel @copy
// ERASE-NOT: domains
// ERASE-NOT: transform.
// ERASE-NOT: module @schedule
fuser.kernel @copy(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

module @schedule attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %kernel = transform.fuser.get_kernel @copy in %module : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 0 by 4 : !transform.any_op
    transform.yield
  }
}

// -----

// Each launch of the kernel may begin before the one before it has ended, and no other one.
// CHECK-LABEL: fuser.host @twice
// CHECK: fuser.launch @other {{.*}}outs(%{{.*}} : tensor<4xf32>) -> tensor<4xf32>
// CHECK: fuser.launch @again {{.*}} {fuser.dependent = "early"} -> tensor<4xf32>
// CHECK: fuser.launch @again {{.*}} {fuser.dependent = "early"} -> tensor<4xf32>
fuser.kernel @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
fuser.kernel @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
fuser.host @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.alloc() : tensor<4xf32>
  %1 = fuser.launch @other ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = fuser.alloc() : tensor<4xf32>
  %3 = fuser.launch @again ins(%1 : tensor<4xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = fuser.launch @again ins(%3 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %4 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %kernel = transform.fuser.get_kernel @again in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.launch_dependent %kernel early : !transform.any_op
    transform.yield
  }
}

// -----

// The script may stand beside the kernel, in parts.
// CHECK-LABEL: fuser.kernel @beside
// CHECK: loop = [i{{[0-9]+}}, i{{[0-9]+}}]
// CHECK-NOT: transform
module attributes {transform.with_named_sequence} {
  fuser.kernel @beside(%x: tensor<?xf32>) -> tensor<?xf32> {
    %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?xf32>
    fuser.return %0 : tensor<?xf32>
  }
  transform.named_sequence @tile(%op: !transform.any_op {transform.readonly}) {
    transform.fuser.split %op at 0 by 8 : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @beside in %module : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%y) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// No script by this name: it stays, for transform-interpreter with an entry point of its own.
// CHECK-LABEL: fuser.kernel @other
// CHECK: transform.named_sequence @mine
fuser.kernel @other(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mine(%module: !transform.any_op) {
    transform.yield
  }
}

// -----

// Of a module with a script what is no script stays, and so do modules that are empty without one.
// CHECK-LABEL: fuser.kernel @first
// CHECK: module @mixed {
// CHECK-NEXT: func.func private @kept()
// CHECK: module @empty {
// CHECK-NEXT: }
// CHECK-NOT: transform
// ERASE-LABEL: fuser.kernel @first
// ERASE: module @mixed {
// ERASE-NEXT: func.func private @kept()
// ERASE: module @empty {
// ERASE-NEXT: }
// ERASE-NOT: transform
fuser.kernel @first(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
module @mixed attributes {transform.with_named_sequence} {
  func.func private @kept()
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    transform.yield
  }
}
module @empty {
}
