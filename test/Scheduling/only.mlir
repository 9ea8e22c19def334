// RUN: fuser-opt %s --fuser-choose-schedules=only=single_op 2>&1 | FileCheck %s
// RUN: not fuser-opt %s --fuser-choose-schedules=only=reduction 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not fuser-opt %s --fuser-choose-schedules=only=pointwize 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// One scheduler is asked, also a fallback; the others have no say.

// CHECK-NOT: remark
// CHECK: schedule = #fuser_sched.single_op

// REFUSED-NOT: remark: '{{pointwise|transpose|single_op}}'
// REFUSED: remark: 'reduction' does not schedule this kernel {{\[}}no-reduction]
// REFUSED: error: 'fuser.kernel' op expected a kernel that 'reduction' accepts, but it refuses

// UNKNOWN: error: expected 'only' to be one of 'transpose', {{.*}}'single_op', but got 'pointwize'
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
