// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules=only=inner_outer -o /dev/null 2>&1 | FileCheck %s
// Why the inner-outer scheduler does not take a kernel. (What it takes: choose.mlir.)

// A sum of columns that is used by rows again: they would have to wait for each other.
// CHECK: remark: 'inner_outer' does not schedule this kernel {{\[}}needs-persistence]: expected only columns to be computed from sums of columns, but 'fuser.add' is
fuser.kernel @refuses_use_by_rows(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x8xf32> -> tensor<8xf32>
  %4 = fuser.broadcast %3 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %5 = fuser.add %2, %4 : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  fuser.return %5 : tensor<?x8xf32>
}

// -----

// A variance of columns cannot be made of partial sums.
// CHECK: remark: 'inner_outer' does not schedule this kernel {{\[}}mixed-reductions]
fuser.kernel @refuses_variance_of_columns(%x: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %0 = fuser.max %x dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  %var, %mean = fuser.var_mean %x dims [0] correction 0 : tensor<?x8xf32> -> tensor<8xf32>, tensor<8xf32>
  fuser.return %0, %var : tensor<?xf32>, tensor<8xf32>
}
