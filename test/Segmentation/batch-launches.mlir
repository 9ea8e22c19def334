// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser-segment-fusions{target=h200})' | FileCheck %s
// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser-segment-fusions{target=h200 batch=false})' | FileCheck %s --check-prefix=OFF
// S3.8: launches of similar independent kernels get one batch, where this is predicted to take less time.
// OFF-NOT: fuser_sched.batch

// Ranks and sizes may differ, and results may be in place.
// CHECK-LABEL: fuser.host @lists
// CHECK-COUNT-3: fuser.launch {{.*}} {fuser_sched.batch = 0 : i64}
// CHECK-NOT: fuser_sched.batch
// CHECK: fuser.return
fuser.fusion @lists(%a: tensor<100xf32>, %b: tensor<3x7xf32>, %c: tensor<2x3x4xf32>, %s: f32)
    -> (tensor<100xf32>, tensor<3x7xf32>, tensor<2x3x4xf32>) attributes {aliases = [#fuser.alias<output 1, input 1>]} {
  %0 = fuser.mul %a, %s : (tensor<100xf32>, f32) -> tensor<100xf32>
  %1 = fuser.mul %b, %s : (tensor<3x7xf32>, f32) -> tensor<3x7xf32>
  %2 = fuser.mul %c, %s : (tensor<2x3x4xf32>, f32) -> tensor<2x3x4xf32>
  fuser.return %0, %1, %2 : tensor<100xf32>, tensor<3x7xf32>, tensor<2x3x4xf32>
}

// -----

// Stages of a list: each kernel of one part reads that before it, so that each stage is a batch.
// CHECK-LABEL: fuser.host @stages
// CHECK: fuser.launch @stages_{{.*}} {fuser_sched.batch = [[FIRST:[01]]] : i64}
// CHECK: fuser.launch @stages_{{.*}} {fuser_sched.batch = [[SECOND:[01]]] : i64}
// CHECK: fuser.launch @stages_{{.*}} {fuser_sched.batch = [[FIRST]] : i64}
// CHECK: fuser.launch @stages_{{.*}} {fuser_sched.batch = [[SECOND]] : i64}
// CHECK: fuser.return
fuser.fusion @stages(%a: tensor<8x8xf32>, %b: tensor<9x9xf32>) -> (tensor<8x8xf32>, tensor<9x9xf32>) {
  %0 = fuser.exp %a : tensor<8x8xf32>
  %1 = fuser.segment_set %0 : tensor<8x8xf32>
  %2 = fuser.neg %1 : tensor<8x8xf32>
  %3 = fuser.exp %b : tensor<9x9xf32>
  %4 = fuser.segment_set %3 : tensor<9x9xf32>
  %5 = fuser.neg %4 : tensor<9x9xf32>
  fuser.return %2, %5 : tensor<8x8xf32>, tensor<9x9xf32>
}

// -----

// Other ops, and other element types.
// CHECK-LABEL: fuser.host @different
// CHECK-NOT: fuser_sched.batch
// CHECK: fuser.return
fuser.fusion @different(%a: tensor<100xf32>, %b: tensor<100xf32>, %c: tensor<7xf16>) -> (tensor<100xf32>, tensor<100xf32>, tensor<7xf16>)
    attributes {facts = []} {
  %m = fuser.segment_set %b : tensor<100xf32>
  %0 = fuser.exp %a : tensor<100xf32>
  %1 = fuser.neg %m : tensor<100xf32>
  %2 = fuser.exp %c : tensor<7xf16>
  fuser.return %0, %1, %2 : tensor<100xf32>, tensor<100xf32>, tensor<7xf16>
}

// -----

// One kernel reads what the other one overwrites.
// CHECK-LABEL: fuser.host @dependent
// CHECK-NOT: fuser_sched.batch
// CHECK: fuser.return
fuser.fusion @dependent(%a: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.exp %a : tensor<64xf32>
  %1 = fuser.segment_set %0 : tensor<64xf32>
  %2 = fuser.exp %1 : tensor<64xf32>
  fuser.return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Each of them fills the device: one launch would not be faster.
// CHECK-LABEL: fuser.host @large
// CHECK-NOT: fuser_sched.batch
// CHECK: fuser.return
fuser.fusion @large(%a: tensor<8192x8192xf32>, %b: tensor<8192x4096xf32>) -> (tensor<8192x8192xf32>, tensor<8192x4096xf32>) {
  %0 = fuser.exp %a : tensor<8192x8192xf32>
  %1 = fuser.exp %b : tensor<8192x4096xf32>
  fuser.return %0, %1 : tensor<8192x8192xf32>, tensor<8192x4096xf32>
}

// -----

// Small ones next to a large one.
// CHECK-LABEL: fuser.host @mixed
// CHECK: fuser.launch {{.*}} {fuser_sched.batch = 0 : i64}
// CHECK: fuser.launch
// CHECK-NOT: fuser_sched.batch
// CHECK: fuser.launch {{.*}} {fuser_sched.batch = 0 : i64}
fuser.fusion @mixed(%a: tensor<100xf32>, %b: tensor<8192x8192xf32>, %c: tensor<300xf32>) -> (tensor<100xf32>, tensor<8192x8192xf32>, tensor<300xf32>) {
  %0 = fuser.exp %a : tensor<100xf32>
  %1 = fuser.exp %b : tensor<8192x8192xf32>
  %2 = fuser.exp %c : tensor<300xf32>
  fuser.return %0, %1, %2 : tensor<100xf32>, tensor<8192x8192xf32>, tensor<300xf32>
}
