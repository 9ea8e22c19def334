// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s
// Each step loads the row again: for the maximum, for the sum of exponentials, and for the result.

// CHECK-LABEL: fuser.kernel @softmax
fuser.kernel @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.streaming<threads_x = 128, vector = 4, unroll = 2>} {
  // CHECK: %[[X0:.*]] = fuser.set %x {{.*}}loop = [i0 @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]
  // CHECK: %[[MAX:.*]] = fuser.max %[[X0]]
  // CHECK: %[[X1:.*]] = fuser.set %x
  // CHECK: %[[SUB1:.*]] = fuser.sub %[[X1]]
  // CHECK: %[[EXP1:.*]] = fuser.exp %[[SUB1]]
  // CHECK: fuser.sum %[[EXP1]]
  // CHECK: %[[X2:.*]] = fuser.set %x
  // CHECK: %[[SUB2:.*]] = fuser.sub %[[X2]]
  // CHECK: %[[EXP2:.*]] = fuser.exp %[[SUB2]]
  // CHECK: fuser.div %[[EXP2]]
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
