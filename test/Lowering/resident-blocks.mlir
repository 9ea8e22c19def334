// RUN: fuser-opt %s --fuser-apply-schedules --fuser-lower-kernels=multiprocessors=132 | FileCheck %s
// RUN: fuser-opt %s --fuser-apply-schedules --fuser-lower-kernels | FileCheck %s --check-prefix=UNKNOWN
// RUN: fuser-opt %s --fuser-apply-schedules --fuser-lower-kernels=multiprocessors=264 | FileCheck %s --check-prefix=UNKNOWN
// Blocks that wait for each other are resident at once: two of them share each multiprocessor, for which the assembler limits
// their registers. Where each has one, or their number is not known, nothing is promised.

// CHECK: cooperative = true, min_blocks_per_sm = 2>
// UNKNOWN: cooperative = true>
fuser.kernel @gradient(%x: tensor<?x512xf32>) -> (tensor<?x512xf32>, tensor<512xf32>)
    attributes {schedule = #fuser_sched.inner_outer<threads = 64, vector = 4, vectors = 2, blocks = 264>} {
  %0 = fuser.max %x dims [1] : tensor<?x512xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x512xf32>, tensor<?x1xf32>) -> tensor<?x512xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x512xf32> -> tensor<512xf32>
  fuser.return %2, %3 : tensor<?x512xf32>, tensor<512xf32>
}

// Blocks that do not wait.
// CHECK-LABEL: gpu.func @copy
// CHECK-NOT: min_blocks_per_sm
// UNKNOWN-LABEL: gpu.func @copy
fuser.kernel @copy(%x: tensor<4096x512xf32>) -> tensor<4096x512xf32> attributes {schedule = #fuser_sched.pointwise<vector = 4>} {
  %0 = fuser.relu %x : tensor<4096x512xf32>
  fuser.return %0 : tensor<4096x512xf32>
}
