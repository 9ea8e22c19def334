// RUN: fuser-run %s --program=update --device=host --check --check-accesses --sizes=1000,1000,1000,33x9,33x9,33x9,3x4x5,3x4x5,3x4x5,0,0,0 | FileCheck %s --check-prefix=UPDATE
// RUN: fuser-run %s --program=update --device=host --check --check-accesses --sizes=0,0,0,0x9,0x9,0x9,0x4x5,0x4x5,0x4x5,7,7,7 | FileCheck %s --check-prefix=UPDATE
// RUN: fuser-run %s --program=sums --device=host --check --check-accesses | FileCheck %s --check-prefix=SUMS
// RUN: fuser-run %s --program=columns --device=host --check --check-accesses | FileCheck %s --check-prefix=COLUMNS
// RUN: fuser-run %s --program=stages --device=host --check --check-accesses --sizes=100,33x9,3x5x7 | FileCheck %s --check-prefix=STAGES
// S3.8: parts of a list have one launch: in place, with sizes and ranks of their own, without elements.

// UPDATE: kernels {{.*}}update_batch: grid
// UPDATE-NOT: grid
// UPDATE-COUNT-8: ok,
fuser.fusion @update(%p0: tensor<?xf32>, %g0: tensor<?xf32>, %m0: tensor<?xf32>, %p1: tensor<?x?xf32>, %g1: tensor<?x?xf32>, %m1: tensor<?x?xf32>,
                     %p2: tensor<?x?x?xf32>, %g2: tensor<?x?x?xf32>, %m2: tensor<?x?x?xf32>, %p3: tensor<?xf32>, %g3: tensor<?xf32>, %m3: tensor<?xf32>,
                     %lr: f32, %beta: f32)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>, #fuser.alias<output 1, input 2>, #fuser.alias<output 2, input 3>, #fuser.alias<output 3, input 5>,
                           #fuser.alias<output 4, input 6>, #fuser.alias<output 5, input 8>, #fuser.alias<output 6, input 9>, #fuser.alias<output 7, input 11>]} {
  %a0 = fuser.mul %m0, %beta : (tensor<?xf32>, f32) -> tensor<?xf32>
  %n0 = fuser.add %a0, %g0 : tensor<?xf32>
  %s0 = fuser.mul %n0, %lr : (tensor<?xf32>, f32) -> tensor<?xf32>
  %q0 = fuser.sub %p0, %s0 : tensor<?xf32>
  %a1 = fuser.mul %m1, %beta : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %n1 = fuser.add %a1, %g1 : tensor<?x?xf32>
  %s1 = fuser.mul %n1, %lr : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %q1 = fuser.sub %p1, %s1 : tensor<?x?xf32>
  %a2 = fuser.mul %m2, %beta : (tensor<?x?x?xf32>, f32) -> tensor<?x?x?xf32>
  %n2 = fuser.add %a2, %g2 : tensor<?x?x?xf32>
  %s2 = fuser.mul %n2, %lr : (tensor<?x?x?xf32>, f32) -> tensor<?x?x?xf32>
  %q2 = fuser.sub %p2, %s2 : tensor<?x?x?xf32>
  %a3 = fuser.mul %m3, %beta : (tensor<?xf32>, f32) -> tensor<?xf32>
  %n3 = fuser.add %a3, %g3 : tensor<?xf32>
  %s3 = fuser.mul %n3, %lr : (tensor<?xf32>, f32) -> tensor<?xf32>
  %q3 = fuser.sub %p3, %s3 : tensor<?xf32>
  fuser.return %q0, %n0, %q1, %n1, %q2, %n2, %q3, %n3
    : tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Reductions of several blocks, whose last one combines the results, with counters of their own.
// SUMS: kernels {{.*}}sums_batch: grid
// SUMS-NOT: grid
// SUMS-COUNT-3: ok,
fuser.fusion @sums(%x: tensor<300x257xf32>, %y: tensor<64x1000xf32>, %z: tensor<17x4096xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = fuser.sum %x dims [0, 1] : tensor<300x257xf32> -> tensor<f32>
  %1 = fuser.sum %y dims [0, 1] : tensor<64x1000xf32> -> tensor<f32>
  %2 = fuser.sum %z dims [0, 1] : tensor<17x4096xf32> -> tensor<f32>
  fuser.return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Blocks of different shapes with as many threads, and shared memory.
// COLUMNS: kernels {{.*}}columns_batch: grid {{.*}}, block 128,
// COLUMNS-NOT: grid
// COLUMNS-COUNT-3: ok,
fuser.fusion @columns(%x: tensor<5x40xf32>, %y: tensor<3x1000xf32>, %z: tensor<17x4096xf32>) -> (tensor<40xf32>, tensor<1000xf32>, tensor<4096xf32>) {
  %0 = fuser.sum %x dims [0] : tensor<5x40xf32> -> tensor<40xf32>
  %1 = fuser.sum %y dims [0] : tensor<3x1000xf32> -> tensor<1000xf32>
  %2 = fuser.sum %z dims [0] : tensor<17x4096xf32> -> tensor<4096xf32>
  fuser.return %0, %1, %2 : tensor<40xf32>, tensor<1000xf32>, tensor<4096xf32>
}

// A batch for each stage; the buffers between them are freed after the second one.
// STAGES: kernels {{.*}}stages_batch: grid
// STAGES: stages_batch_0: grid
// STAGES-NOT: grid
// STAGES-COUNT-3: ok,
fuser.fusion @stages(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>) {
  %0 = fuser.tanh %x : tensor<?xf32>
  %1 = fuser.segment_set %0 : tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  %3 = fuser.tanh %y : tensor<?x?xf32>
  %4 = fuser.segment_set %3 : tensor<?x?xf32>
  %5 = fuser.neg %4 : tensor<?x?xf32>
  %6 = fuser.tanh %z : tensor<?x?x?xf32>
  %7 = fuser.segment_set %6 : tensor<?x?x?xf32>
  %8 = fuser.neg %7 : tensor<?x?x?xf32>
  fuser.return %2, %5, %8 : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>
}
