// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules | FileCheck %s
// One element of the result per thread; what is reduced is a loop.

// CHECK-LABEL: fuser.kernel @sum
fuser.kernel @sum(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> attributes {schedule = #fuser_sched.single_op<threads = 64>} {
  // CHECK: fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [i0, r1, i2], merge(i0, i2) -> i3, split(i3, 64) -> (i4, i5), loop = [i4 @block_x, i5 @thread_x, r1], allocation = [i0, i2]>], inline_at = 2
  // CHECK: fuser.set {{.*}}loop = [i3 @block_x, i4 @thread_x]{{.*}}memory = #fuser.memory<global>
  %0 = fuser.sum %x dims [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// A scan is a loop of a thread, behind the blocks and threads of the other dimensions.
// CHECK-LABEL: fuser.kernel @cumsum
fuser.kernel @cumsum(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> attributes {schedule = #fuser_sched.single_op<threads = 64>} {
  // CHECK: fuser.cumsum %x dim 1 {domains = [#fuser.domain<logical = [i0, i1, i2], merge(i0, i2) -> i3, split(i3, 64) -> (i4, i5), loop = [i4 @block_x, i5 @thread_x, i1], allocation = [i0, i1, i2]>], inline_at = 3
  // CHECK: fuser.set {{.*}}memory = #fuser.memory<global>
  %0 = fuser.cumsum %x dim 1 : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// -----

// Does not apply to two ops.
// expected-error @below {{cannot be scheduled by 'single_op' [not-one-op]: expected exactly one op, but got 2}}
fuser.kernel @two(%x: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.single_op<threads = 64>} {
  // expected-note @below {{here: fuser.relu}}
  %0 = fuser.relu %x : tensor<?xf32>
  // expected-note @below {{here: fuser.neg}}
  %1 = fuser.neg %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// expected-error @below {{expected 'schedule' to hold parameters of a scheduler, but got 3 : i64}}
fuser.kernel @no_parameters(%x: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = 3} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
