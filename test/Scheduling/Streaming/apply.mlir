// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s
// Each step loads the row again.

// For the mean, for the variance, and for the result.
// CHECK-LABEL: fuser.kernel @centered
fuser.kernel @centered(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.streaming<threads_x = 128, vector = 4, unroll = 2>} {
  // CHECK: %[[X0:.*]] = fuser.set %x {{.*}}loop = [i0 @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]
  // CHECK: fuser.mean %[[X0]]
  // CHECK: %[[X1:.*]] = fuser.set %x
  // CHECK: %[[SUB1:.*]] = fuser.sub %[[X1]]
  // CHECK: %[[SQUARE:.*]] = fuser.mul %[[SUB1]], %[[SUB1]]
  // CHECK: fuser.mean %[[SQUARE]]
  // CHECK: %[[X2:.*]] = fuser.set %x
  // CHECK: %[[SUB2:.*]] = fuser.sub %[[X2]]
  // CHECK: fuser.mul %[[SUB2]]
  // CHECK-NOT: fuser.set %x
  %0 = fuser.mean %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.mul %2, %2 : tensor<?x?xf32>
  %4 = fuser.mean %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.mul %2, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}

// A softmax has one step less: the maximum and the sum of exponentials are one reduction.
// CHECK-LABEL: fuser.kernel @softmax
fuser.kernel @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.streaming<threads_x = 128, vector = 4, unroll = 2>} {
  // CHECK: %[[X0:.*]] = fuser.set %x
  // CHECK: %[[MAX:.*]], %[[SUM:.*]] = fuser.max_sum_exp %[[X0]]
  // CHECK: %[[X1:.*]] = fuser.set %x
  // CHECK: fuser.sub %[[X1]]
  // CHECK: fuser.exp
  // CHECK: fuser.div
  // CHECK-NOT: fuser.set %x
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}
