// RUN: fuser-run %s --device=host --target=h200 --check --check-accesses --program=payoffs --sizes=64x64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=payoffs --sizes=37x256 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=payoffs --sizes=37x253 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=payoffs --sizes=5x1 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=losses --sizes=9x2500 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=losses --sizes=9x3001 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=nucleus --sizes=5x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=nucleus --sizes=5x4100 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=positions --sizes=5x1003 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=normalized --sizes=3x7x640 | FileCheck %s
// A scan and reductions of its rows are one kernel: before and after the scan, several scans, results with and without rows,
// lengths that fill no vector, no warp or several warps.
// CHECK: kernels {{.*}}_0: grid
// CHECK-NOT: _1: grid
// CHECK: check {{.*}} ok

fuser.fusion @payoffs(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %s = arith.constant 1.0e-02 : f64
  %0 = fuser.mul %a, %s : (tensor<?x?xf32>, f64) -> tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3 = fuser.mean %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %4 = fuser.sub %3, %s : (tensor<?xf32>, f64) -> tensor<?xf32>
  fuser.return %4 : tensor<?xf32>
}

fuser.fusion @losses(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %s = arith.constant 1.0e-02 : f64
  %0 = fuser.mul %a, %s : (tensor<?x?xf32>, f64) -> tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3 = fuser.cummax %2 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.div %2, %3 : tensor<?x?xf32>
  %5 = fuser.min %4 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %5 : tensor<?xf32>
}

fuser.fusion @nucleus(%a: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.cast %a : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.div %4, %6 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %8 = fuser.cumsum %7 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %9 = fuser.cast %8 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %9 : tensor<?x?xbf16>
}

fuser.fusion @positions(%a: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %one = arith.constant 1 : i64
  %0 = fuser.minimum %a, %one : (tensor<?x?xi32>, i64) -> tensor<?x?xi32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xi32> -> tensor<?x?xi32>
  %2 = fuser.sum %0 dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  %3 = fuser.max %a dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  fuser.return %1, %2, %3 : tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>
}

fuser.fusion @normalized(%a: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.cumsum %a dim 2 : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %1 = fuser.max %0 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.broadcast %1 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  fuser.return %3, %1 : tensor<?x?x?xf32>, tensor<?x?xf32>
}
