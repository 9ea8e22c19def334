// RUN: not fuser-opt %s --fuser-choose-schedules="sizes=3" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not fuser-opt %s --fuser-choose-schedules="sizes=3;4" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not fuser-opt %s --fuser-choose-schedules="sizes=3,-4;" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not fuser-opt %s --fuser-choose-schedules="sizes=3,5;" 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not fuser-opt %s --fuser-choose-schedules="target=abacus" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: fuser-opt %s --fuser-choose-schedules="sizes=?,8;" | FileCheck %s --check-prefix=FINE
// Sizes on the command line must fit the arguments.

// COUNT: expected sizes of 2 arguments, but got 1
// RANK: expected 2 sizes for argument 0, but got '3'
// SIZE: expected a size of at least 0 or '?', but got '-4'
// STATIC: expected size 8 for dimension 1 of argument 0, but got 5
// TARGET: expected one of a100, {{.*}} but got 'abacus'
// FINE: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @k(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
