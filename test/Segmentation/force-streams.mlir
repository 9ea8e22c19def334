// RUN: fuser-opt %s --fuser-segment-fusions=force-streams | FileCheck %s
// RUN: fuser-opt %s --fuser-segment-fusions | FileCheck %s --check-prefix=DEFAULT
// S2.4: on request, for tests, launches are distributed over streams wherever dependences permit it, however large they are.

// DEFAULT-NOT: fuser_sched.stream

// CHECK-LABEL: fuser.host @join
// CHECK: fuser.launch @join_0 {{.*}}fuser_sched.stream = 0
// CHECK: fuser.launch @join_1 {{.*}}fuser_sched.stream = 1
// CHECK: fuser.launch @join_2 {{.*}}fuser_sched.stream
fuser.fusion @join(%x: tensor<4096x4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %0 = fuser.sum %x dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %1 = fuser.segment_set %0 : tensor<4096xf32>
  %2 = fuser.max %x dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %3 = fuser.segment_set %2 : tensor<4096xf32>
  %4 = fuser.add %1, %3 : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
  fuser.return %4, %3 : tensor<4096xf32>, tensor<4096xf32>
}

// One chain has no launches that overlap.
// CHECK-LABEL: fuser.host @chain
// CHECK-NOT: fuser_sched.stream = 1
fuser.fusion @chain(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fuser.exp %x : tensor<64xf32>
  %1 = fuser.segment_set %0 : tensor<64xf32>
  %2 = fuser.neg %1 : tensor<64xf32>
  fuser.return %2 : tensor<64xf32>
}

// A routine is no kernel, but what follows it waits for what it reads.
// CHECK-LABEL: fuser.host @through_a_routine
// CHECK: fuser.launch @through_a_routine_0 {{.*}}fuser_sched.stream = 0
// CHECK: fuser.library_call "sort"
// CHECK: fuser.launch @through_a_routine_1 {{.*}}fuser_sched.stream = 0
fuser.fusion @through_a_routine(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %0 = fuser.exp %x : tensor<64x8xf32>
  %1 = fuser.library "sort"(%0 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %2 = fuser.neg %1 : tensor<64x8xf32>
  fuser.return %2 : tensor<64x8xf32>
}
