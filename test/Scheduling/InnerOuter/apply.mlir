// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s
// RUN: fuser-opt %s --fuser-apply-schedules --fuser-lower-kernels | FileCheck %s --check-prefix=IR
// Blocks share the rows; a row is loaded once. Partial sums of columns go to memory, one row of them for each block, and
// are added up by shares of the columns behind a wait of all blocks.

// CHECK-LABEL: fuser.kernel @gradient
// CHECK: fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 4) -> (i2, i3), {{.*}}loop = [i2 @block_x, i3, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 2
// CHECK: fuser.max
// CHECK: %[[PARTIAL:.*]] = fuser.sum %{{.*}} dims [0] {{.*}}root = [r0, i1], split(r0, outer 4) -> (i2, r3){{.*}}allocation = [i2, i1]>], memory = #fuser.memory<global>} : tensor<?x512xf32> -> tensor<512x4xf32>
// CHECK: fuser.sum %[[PARTIAL]] dims [1] {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, r{{[0-9]+}}, r{{[0-9]+}} @unroll, r{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x]

// IR: cooperative = true
// IR: scf.for
// IR: fuser_gpu.grid_sync
fuser.kernel @gradient(%x: tensor<?x512xf32>) -> (tensor<?x512xf32>, tensor<512xf32>)
    attributes {schedule = #fuser_sched.inner_outer<threads = 64, vector = 4, vectors = 2, blocks = 4>} {
  %0 = fuser.max %x dims [1] : tensor<?x512xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x512xf32>, tensor<?x1xf32>) -> tensor<?x512xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x512xf32> -> tensor<512xf32>
  fuser.return %2, %3 : tensor<?x512xf32>, tensor<512xf32>
}

// Several rows of a block are along thread_z; each has few threads.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_z, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]
// CHECK: fuser.sum %{{.*}} dims [0] {{.*}}r{{[0-9]+}} @thread_z{{.*}}memory = #fuser.memory<global>
// CHECK: fuser.sum %{{.*}} dims [1] {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, r{{[0-9]+}}, r{{[0-9]+}} @unroll, r{{[0-9]+}} @thread_z, r{{[0-9]+}} @thread_y, i{{[0-9]+}} @thread_x]
fuser.kernel @short_rows(%x: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<64xf32>)
    attributes {schedule = #fuser_sched.inner_outer<threads = 8, vector = 4, vectors = 2, rows = 32, blocks = 4>} {
  %0 = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x64xf32> -> tensor<64xf32>
  fuser.return %2, %3 : tensor<?x64xf32>, tensor<64xf32>
}
