// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules | FileCheck %s
// Strips in shared memory, with the three layouts of threads.

// Columns side by side on x, rows on y. What the argument is read for first and again is one copy, before the loops of both.
// CHECK-LABEL: fuser.kernel @columns
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unswitch, i{{[0-9]+}} @unroll, i{{[0-9]+}} @cluster_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}fuser.stages = 1 : i64, inline_at = 1 : i64, memory = #fuser.memory<shared>
// CHECK: fuser.sum %[[X]]
// CHECK-NOT: fuser.set %x
// CHECK: fuser.sub %[[X]]
fuser.kernel @columns(%x: tensor<512x4096xf32>) -> tensor<512x4096xf32> attributes {
    schedule = #fuser_sched.outer_persistent<rows = 32, columns = 8, vector = 4, unroll = 4, steps = 2, cluster = 2>} {
  %0 = fuser.sum %x dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  fuser.return %2 : tensor<512x4096xf32>
}

// -----

// A softmax has one pass for maximum and sum.
// CHECK-LABEL: fuser.kernel @softmax
// CHECK: fuser.max_sum_exp
// CHECK-NOT: fuser.sum
fuser.kernel @softmax(%x: tensor<512x4096xf32>) -> tensor<512x4096xf32> attributes {
    schedule = #fuser_sched.outer_persistent<rows = 32, columns = 8, vector = 4, unroll = 4, steps = 4>} {
  %0 = fuser.max %x dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  %3 = fuser.exp %2 : tensor<512x4096xf32>
  %4 = fuser.sum %3 dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %5 = fuser.broadcast %4 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %6 = fuser.div %3, %5 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  fuser.return %6 : tensor<512x4096xf32>
}

// -----

// A mask of rows stays in the caches: each step has a load of it in registers.
// CHECK-LABEL: fuser.kernel @mask
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}memory = #fuser.memory<shared>
// CHECK: %[[M0:.*]] = fuser.set %m {{.*}}inline_at = 3 : i64} : tensor<512x1xf32>
// CHECK: fuser.mul %[[X]], %[[M0]]
// CHECK: %[[M1:.*]] = fuser.set %m {{.*}}inline_at = 3 : i64} : tensor<512x1xf32>
// CHECK: fuser.mul {{.*}}, %[[M1]]
fuser.kernel @mask(%x: tensor<512x4096xf32>, %m: tensor<512x1xf32>) -> tensor<512x4096xf32> attributes {
    schedule = #fuser_sched.outer_persistent<rows = 32, columns = 8, vector = 4, unroll = 4, steps = 2, cluster = 2>} {
  %0 = fuser.mul %x, %m : (tensor<512x4096xf32>, tensor<512x1xf32>) -> tensor<512x4096xf32>
  %1 = fuser.sum %0 dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %3 = fuser.sub %x, %2 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  %4 = fuser.mul %3, %m : (tensor<512x4096xf32>, tensor<512x1xf32>) -> tensor<512x4096xf32>
  fuser.return %4 : tensor<512x4096xf32>
}

// -----

// Channels of a group on x, groups on y, pixels on z.
// CHECK-LABEL: fuser.kernel @groups
// CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unswitch, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_z, i{{[0-9]+}} @thread_y, i{{[0-9]+}}, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]
fuser.kernel @groups(%x: tensor<4x256x32x8xf32>) -> tensor<4x256x32x8xf32> attributes {
    schedule = #fuser_sched.outer_persistent<rows = 32, columns = 4, part = 2, vector = 4, unroll = 4, steps = 2>} {
  %0 = fuser.sum %x dims [1, 3] : tensor<4x256x32x8xf32> -> tensor<4x32xf32>
  %1 = fuser.broadcast %0 dims [1, 3] : tensor<4x32xf32> -> tensor<4x1x32x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<4x256x32x8xf32>, tensor<4x1x32x1xf32>) -> tensor<4x256x32x8xf32>
  fuser.return %2 : tensor<4x256x32x8xf32>
}

// -----

// A channel of a block: all of its vectors on x.
// CHECK-LABEL: fuser.kernel @channels
// CHECK: fuser.set %x {{.*}}loop = [i1 @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unswitch, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]
fuser.kernel @channels(%x: tensor<8x32x1024xf32>) -> tensor<8x32x1024xf32> attributes {
    schedule = #fuser_sched.outer_persistent<rows = 256, columns = 1, part = 0, vector = 4, unroll = 4, steps = 2>} {
  %0 = fuser.sum %x dims [0, 2] : tensor<8x32x1024xf32> -> tensor<32xf32>
  %1 = fuser.broadcast %0 dims [0, 2] : tensor<32xf32> -> tensor<1x32x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<8x32x1024xf32>, tensor<1x32x1xf32>) -> tensor<8x32x1024xf32>
  fuser.return %2 : tensor<8x32x1024xf32>
}

// -----

// The threads have fewer rows.
// expected-error @below {{expected reduced dimensions of at most 256 rows ('cluster' x 'rows' x 'unroll' x 'steps'), and a fastest one of at most 'part' x 'vector', but no fact can bound them}}
fuser.kernel @short(%x: tensor<512x4096xf32>) -> tensor<512x4096xf32> attributes {
    schedule = #fuser_sched.outer_persistent<rows = 32, columns = 8, vector = 4, unroll = 4, steps = 2>} {
  %0 = fuser.sum %x dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  fuser.return %2 : tensor<512x4096xf32>
}
