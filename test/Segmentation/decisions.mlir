// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser-segment-fusions{target=h200 explain=true})' 2>/dev/null | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser-segment-fusions{target=h200})' | FileCheck %s --check-prefix=NONE
// With explain, a kernel says which scheduler takes it, how long it is predicted to take, and why what it reads is not
// computed by it. Without, it does not.

// CHECK: fuser.kernel @two_0({{.*}} attributes {fuser_sched.decision = {microseconds = {{[0-9.]+}} : f64, reads = [], scheduler = "pointwise"}}
// CHECK: fuser.kernel @two_1({{.*}} attributes {fuser_sched.decision = {microseconds = {{[0-9.]+}} : f64,
// CHECK-SAME: reads = ["of segment 0: refusal; inner_persistent [unsupported-op]: expected reductions of operands that have every dimension,
// CHECK-SAME: scheduler = "single_op"}}
// NONE-NOT: fuser_sched.decision
fuser.fusion @two(%x: tensor<64x32xf32>, %y: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %0 = fuser.exp %x : tensor<64x32xf32>
  %1 = fuser.matmul %0, %y : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  fuser.return %1 : tensor<64x16xf32>
}
