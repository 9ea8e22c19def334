// RUN: fuser-run %s --device=host --target=h200 --check --sizes=3000x40 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-explain %s --target=h200 --sizes=1000000x50 | FileCheck %s
// Columns with gaps, standardized: each kernel computes the mask of what it reads, and none stores it. The last kernel reads the
// argument only for what it recomputes, and the mask costs nothing then.
// CHECKED: check {{.*}} ok
// CHECK: fused {{ *}}3 kernels, 600 MB read, 200 MB written

fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %0 = fuser.isnan %x : (tensor<?x?xf32>) -> tensor<?x?xi1>
  %1 = fuser.where %0, %zero, %x : (tensor<?x?xi1>, f64, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.mean %1 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %4 = fuser.sub %x, %3 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %5 = fuser.where %0, %zero, %4 : (tensor<?x?xi1>, f64, tensor<?x?xf32>) -> tensor<?x?xf32>
  %6 = fuser.mul %5, %5 : tensor<?x?xf32>
  %7 = fuser.mean %6 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %8 = fuser.add %7, %one : (tensor<?xf32>, f64) -> tensor<?xf32>
  %9 = fuser.sqrt %8 : tensor<?xf32>
  %10 = fuser.broadcast %9 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %11 = fuser.div %5, %10 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %11 : tensor<?x?xf32>
}
