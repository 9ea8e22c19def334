// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s
// Softmax: the row is loaded once, before the loop over vectors, and kept as it lies in memory; casts and exponentials
// are computed again behind each reduction.

// CHECK-LABEL: fuser.kernel @softmax
// CHECK-SAME: #fuser.fact<at_most 0[1], 16384>
fuser.kernel @softmax(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>} {
  // CHECK: %[[X:.*]] = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 1
  // CHECK: fuser.cast %[[X]] {{.*}}inline_at = 4
  // CHECK: fuser.max {{.*}}loop = [i0 @block_x, r4 @unroll, r5 @thread_x, r3 @vectorize]{{.*}}inline_at = 1
  // CHECK: fuser.broadcast {{.*}}loop = [i{{[0-9]+}} @block_x]{{.*}}inline_at = 1
  // CHECK: fuser.cast %[[X]]
  // CHECK: fuser.sub
  // CHECK: fuser.exp
  // CHECK: fuser.sum {{.*}}inline_at = 1
  // CHECK: fuser.cast %[[X]]
  // CHECK: fuser.sub
  // CHECK: fuser.exp
  // CHECK: fuser.div
  // CHECK-NOT: fuser.max
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %shifted = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %exp = fuser.exp %shifted : tensor<?x?xf32>
  %sum = fuser.sum %exp dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %quotient = fuser.div %exp, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %scaled = fuser.mul %quotient, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %scaled : tensor<?x?xf32> to tensor<?x?xbf16>
  // CHECK: fuser.set {{.*}}memory = #fuser.memory<global>
  fuser.return %0 : tensor<?x?xbf16>
}

// Without recomputation the exponentials are kept.
// CHECK-LABEL: fuser.kernel @kept
fuser.kernel @kept(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 2, rows = 4, recompute = false>} {
  // CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 2
  // CHECK: fuser.exp {{.*}}inline_at = 2
  // CHECK-NOT: fuser.exp
  %exp = fuser.exp %x : tensor<?x?xf32>
  %sum = fuser.sum %exp dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %quotient = fuser.div %exp, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %quotient : tensor<?x?xf32>
}

// A variance is two means of the kept row.
// CHECK-LABEL: fuser.kernel @variance
fuser.kernel @variance(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 2>} {
  // CHECK-NOT: fuser.var_mean
  // CHECK: fuser.mean
  // CHECK: fuser.mean
  %var, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %m = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %v = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %0 = fuser.sub %x, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.mul %0, %v : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// What only ops after the second reduction use is computed after it, from a conversion of its own: the row is not kept
// converted in between.
// CHECK-LABEL: fuser.kernel @centered
fuser.kernel @centered(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>} {
  // CHECK: %[[X:.*]] = fuser.set %x
  // CHECK: fuser.cast %[[X]]
  // CHECK: %[[MEAN:.*]] = fuser.mean
  // CHECK: %[[AGAIN:.*]] = fuser.cast %[[X]]
  // CHECK: fuser.sub %[[AGAIN]]
  // CHECK: fuser.mean
  // CHECK: %[[LAST:.*]] = fuser.cast %[[X]] {{.*}}inline_at = 4
  // CHECK: fuser.sub %[[LAST]], {{.*}}inline_at = 4
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %var, %mean = fuser.var_mean %0 dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %1 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.rsqrt %var : tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.mul %2, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %6 = fuser.cast %5 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %6 : tensor<?x?xbf16>
}

// A row on the blocks of a cluster: each reads every eighth part of 2048 elements.
// CHECK-LABEL: fuser.kernel @cluster
// CHECK-SAME: #fuser.fact<at_most 0[1], 131072>
// CHECK: fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 256) -> (i4, i5), split(i4, 8) -> (i6, i7), loop = [i0 @block_x, i6 @unroll, i7 @cluster_x, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 1
// CHECK: fuser.max {{.*}}loop = [i0 @block_x, r6 @unroll, r7 @cluster_x, r5 @thread_x, r3 @vectorize]{{.*}}inline_at = 1
fuser.kernel @cluster(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 256, vector = 8, vectors = 8, cluster = 8>} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

// Threads along x have a part of a row, those along y the parts. The scales stay in registers; what a part alone reads is
// loaded where it is used.
// CHECK-LABEL: fuser.kernel @parts
fuser.kernel @parts(%x: tensor<?x4096xbf16>, %w: tensor<?x4096xbf16>) -> (tensor<?x32x128xbf16>, tensor<?x32xbf16>) attributes {
    schedule = #fuser_sched.inner_persistent<threads = 128, vector = 8, vectors = 4, part = 16>} {
  // CHECK: fuser.set %x {{.*}}loop = [i0 @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 1
  // CHECK: fuser.set %w {{.*}}inline_at = 5
  // CHECK: fuser.max {{.*}}loop = [i0 @block_x, r{{[0-9]+}} @unroll, r{{[0-9]+}} @thread_y, r{{[0-9]+}} @thread_x, r{{[0-9]+}} @vectorize]{{.*}}inline_at = 1
  %0 = fuser.max %x dims [1] : tensor<?x4096xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xbf16>, tensor<?x1xbf16>) -> tensor<?x4096xbf16>
  %3 = fuser.mul %2, %w : tensor<?x4096xbf16>
  %4 = fuser.reshape %3 : tensor<?x4096xbf16> -> tensor<?x32x128xbf16>
  // CHECK: fuser.max {{.*}}loop = [i0 @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_y, r{{[0-9]+}} @thread_x, r{{[0-9]+}} @vectorize]{{.*}}inline_at = 3
  // CHECK: fuser.div
  %5 = fuser.max %4 dims [2] : tensor<?x32x128xbf16> -> tensor<?x32xbf16>
  %6 = fuser.broadcast %5 dims [2] : tensor<?x32xbf16> -> tensor<?x32x1xbf16>
  %7 = fuser.div %4, %6 : (tensor<?x32x128xbf16>, tensor<?x32x1xbf16>) -> tensor<?x32x128xbf16>
  fuser.return %7, %5 : tensor<?x32x128xbf16>, tensor<?x32xbf16>
}
