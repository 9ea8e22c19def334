// RUN: fuser-opt %s --fuser-choose-schedules | FileCheck %s
// Launches of a batch share the kernel of the first one whose code is equal; names and expected sizes do not count. A kernel
// that a launch outside of a batch has stays, and shares with none.

// CHECK: fuser.kernel @exp_a(
// CHECK-NOT: fuser.kernel @exp_b(
// CHECK: fuser.kernel @neg(
// CHECK: fuser.kernel @exp_alone(
// CHECK: fuser.kernel @exp_twice(
// CHECK-NOT: fuser.kernel @exp_d(
// CHECK-LABEL: fuser.host @batches
// CHECK: fuser.launch @exp_a ins(%x : tensor<?xf32>) {{.*}} {fuser_sched.batch = 0 : i64}
// CHECK: fuser.launch @exp_a ins(%y : tensor<?xf32>) {{.*}} {fuser_sched.batch = 0 : i64}
// CHECK: fuser.launch @neg ins(%x
// CHECK: fuser.launch @exp_alone ins(%x
// CHECK: fuser.launch @exp_twice ins(%x
// CHECK: fuser.launch @exp_twice ins(%y
// CHECK: fuser.launch @exp_a ins(%x : tensor<?xf32>) {{.*}} {fuser_sched.batch = 1 : i64}
fuser.kernel @exp_a(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.sizes = [array<i64: 100>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.kernel @exp_b(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.sizes = [array<i64: 104>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.kernel @neg(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.sizes = [array<i64: 100>]} {
  %0 = fuser.neg %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.kernel @exp_alone(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.sizes = [array<i64: 100>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.kernel @exp_twice(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.sizes = [array<i64: 100>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.kernel @exp_d(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.sizes = [array<i64: 100>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.host @batches(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %0 = fuser.alloc(%n) : tensor<?xf32>
  %1 = fuser.launch @exp_a ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) {fuser_sched.batch = 0 : i64} -> tensor<?xf32>
  %2 = fuser.alloc(%m) : tensor<?xf32>
  %3 = fuser.launch @exp_b ins(%y : tensor<?xf32>) outs(%2 : tensor<?xf32>) {fuser_sched.batch = 0 : i64} -> tensor<?xf32>
  %4 = fuser.alloc(%n) : tensor<?xf32>
  %5 = fuser.launch @neg ins(%x : tensor<?xf32>) outs(%4 : tensor<?xf32>) {fuser_sched.batch = 0 : i64} -> tensor<?xf32>
  %6 = fuser.alloc(%n) : tensor<?xf32>
  %7 = fuser.launch @exp_alone ins(%x : tensor<?xf32>) outs(%6 : tensor<?xf32>) -> tensor<?xf32>
  %8 = fuser.alloc(%n) : tensor<?xf32>
  %9 = fuser.launch @exp_twice ins(%x : tensor<?xf32>) outs(%8 : tensor<?xf32>) {fuser_sched.batch = 1 : i64} -> tensor<?xf32>
  %10 = fuser.alloc(%m) : tensor<?xf32>
  %11 = fuser.launch @exp_twice ins(%y : tensor<?xf32>) outs(%10 : tensor<?xf32>) -> tensor<?xf32>
  %12 = fuser.alloc(%n) : tensor<?xf32>
  %13 = fuser.launch @exp_d ins(%x : tensor<?xf32>) outs(%12 : tensor<?xf32>) {fuser_sched.batch = 1 : i64} -> tensor<?xf32>
  fuser.return %1, %3, %5, %7, %9, %11, %13 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
