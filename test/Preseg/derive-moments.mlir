// RUN: fuser-opt %s --fuser-derive-moments > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-derive-moments | diff %t.after.mlir -
// RUN: fuser-run %s --program=penalties --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=skewness --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=equal --device=host --check | FileCheck %s --check-prefix=NUMBERS
// Means and equal reductions are those of a variance, or of an earlier op.
// NUMBERS: check {{.*}} ok

// The mean, and the mean of the squares of deviations.
// CHECK-LABEL: fuser.fusion @penalties
// CHECK-SAME: (%[[X:.*]]: tensor<100x37xf32>)
// CHECK: %[[V:.*]], %[[M:.*]] = fuser.var_mean %[[X]] dims [0] correction 1
// CHECK-NOT: fuser.mean
// CHECK: %[[C:.*]] = arith.constant 0.98{{9*}} : f64
// CHECK: %[[S:.*]] = fuser.mul %[[V]], %[[C]] : (tensor<37xf32>, f64) -> tensor<37xf32>
// CHECK: fuser.return %[[V]], %[[M]], %[[S]]
fuser.fusion @penalties(%x: tensor<100x37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>) {
  %var, %mean = fuser.var_mean %x dims [0] correction 1 : tensor<100x37xf32> -> tensor<37xf32>, tensor<37xf32>
  %0 = fuser.mean %x dims [0] : tensor<100x37xf32> -> tensor<37xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<37xf32> -> tensor<1x37xf32>
  %2 = fuser.sub %x, %1 : (tensor<100x37xf32>, tensor<1x37xf32>) -> tensor<100x37xf32>
  %3 = fuser.mul %2, %2 : tensor<100x37xf32>
  %4 = fuser.mean %3 dims [0] : tensor<100x37xf32> -> tensor<37xf32>
  fuser.return %var, %0, %4 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>
}

// The variance comes after the mean, and is of an equal value; a variance without correction is the
// mean of squares itself.
// CHECK-LABEL: fuser.fusion @skewness
// CHECK: %[[F:.*]] = fuser.cast %{{.*}} : tensor<?x100xbf16> to tensor<?x100xf32>
// CHECK: %[[V:.*]], %[[M:.*]] = fuser.var_mean %[[F]] dims [1] correction 0
// CHECK: %[[W:.*]] = fuser.broadcast %[[M]] dims [1]
// CHECK: %[[D:.*]] = fuser.sub %[[F]], %[[W]]
// CHECK: %[[Q:.*]] = fuser.mul %[[D]], %[[D]]
// CHECK: %[[T:.*]] = fuser.mul %[[Q]], %[[D]]
// CHECK: %[[K:.*]] = fuser.mean %[[T]] dims [1]
// CHECK-NOT: fuser.var_mean
// CHECK: fuser.return %[[V]], %[[K]], %[[V]]
fuser.fusion @skewness(%x: tensor<?x100xbf16>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.cast %x : tensor<?x100xbf16> to tensor<?x100xf32>
  %1 = fuser.mean %0 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
  %4 = fuser.mul %3, %3 : tensor<?x100xf32>
  %5 = fuser.mean %4 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %6 = fuser.mul %4, %3 : tensor<?x100xf32>
  %7 = fuser.mean %6 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %8 = fuser.cast %x : tensor<?x100xbf16> to tensor<?x100xf32>
  %var, %mean = fuser.var_mean %8 dims [1] correction 0 : tensor<?x100xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %5, %7, %var : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @equal
// CHECK: %[[A:.*]] = fuser.max
// CHECK-NOT: fuser.max
// CHECK: fuser.return %[[A]], %[[A]]
fuser.fusion @equal(%x: tensor<13x100xf32>) -> (tensor<13xf32>, tensor<13xf32>) {
  %0 = fuser.exp %x : tensor<13x100xf32>
  %1 = fuser.max %0 dims [1] : tensor<13x100xf32> -> tensor<13xf32>
  %2 = fuser.exp %x : tensor<13x100xf32>
  %3 = fuser.max %2 dims [1] : tensor<13x100xf32> -> tensor<13xf32>
  fuser.return %1, %3 : tensor<13xf32>, tensor<13xf32>
}

// Other dimensions, other elements, an unknown number of them, narrow floats and other means stay.
// CHECK-LABEL: fuser.fusion @stay
// CHECK: fuser.var_mean
// CHECK: fuser.mean %{{.*}} dims [1] : tensor<?x37xf32>
// CHECK: fuser.mean %{{.*}} dims [0] : tensor<?x37xf32>
// CHECK: fuser.mean %{{.*}} dims [0] : tensor<?x37xf32>
// CHECK: fuser.var_mean %{{.*}} : tensor<100x37xbf16>
// CHECK: fuser.mean %{{.*}} dims [0] : tensor<100x37xbf16>
// CHECK: fuser.mean %{{.*}} dims [0] : tensor<100x37xbf16>
fuser.fusion @stay(%x: tensor<?x37xf32>, %y: tensor<100x37xbf16>, %a: tensor<37xbf16>)
    -> (tensor<37xf32>, tensor<?xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>) {
  %var, %mean = fuser.var_mean %x dims [0] correction 1 : tensor<?x37xf32> -> tensor<37xf32>, tensor<37xf32>
  %0 = fuser.mean %x dims [1] : tensor<?x37xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %mean dims [0] : tensor<37xf32> -> tensor<1x37xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x37xf32>, tensor<1x37xf32>) -> tensor<?x37xf32>
  %3 = fuser.mul %2, %2 : tensor<?x37xf32>
  %4 = fuser.mean %3 dims [0] : tensor<?x37xf32> -> tensor<37xf32>
  %5 = fuser.mean %2 dims [0] : tensor<?x37xf32> -> tensor<37xf32>
  %var_0, %mean_0 = fuser.var_mean %y dims [0] correction 1 : tensor<100x37xbf16> -> tensor<37xbf16>, tensor<37xbf16>
  %6 = fuser.broadcast %mean_0 dims [0] : tensor<37xbf16> -> tensor<1x37xbf16>
  %7 = fuser.sub %y, %6 : (tensor<100x37xbf16>, tensor<1x37xbf16>) -> tensor<100x37xbf16>
  %8 = fuser.mul %7, %7 : tensor<100x37xbf16>
  %9 = fuser.mean %8 dims [0] : tensor<100x37xbf16> -> tensor<37xbf16>
  %10 = fuser.broadcast %a dims [0] : tensor<37xbf16> -> tensor<1x37xbf16>
  %11 = fuser.sub %y, %10 : (tensor<100x37xbf16>, tensor<1x37xbf16>) -> tensor<100x37xbf16>
  %12 = fuser.mul %11, %11 : tensor<100x37xbf16>
  %13 = fuser.mean %12 dims [0] : tensor<100x37xbf16> -> tensor<37xbf16>
  fuser.return %var, %0, %4, %5, %var_0, %9, %13
      : tensor<37xf32>, tensor<?xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>
}
