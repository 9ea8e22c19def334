// RUN: fuser-opt %s --fuser-sum-selections > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-sum-selections | diff %t.after.mlir -
// RUN: fuser-run %s --program=weighted --device=reference --sizes=37x1,37x1 --range=index=-3:110 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=weighted --device=reference --sizes=37x1,37x1 --range=index=-3:110 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=weighted --device=host --sizes=37x1,37x1 --range=index=-3:110 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %t.after.mlir --program=smoothed --device=host --sizes=37x1,37x1 --range=index=-3:110 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=smoothed --device=reference --sizes=37x1,37x1 --range=index=-3:110 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=smoothed --device=reference --sizes=37x1,37x1 --range=index=-3:110 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=infinite --device=reference --sizes=37x1,37x1 --range=index=-3:110 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=infinite --device=reference --sizes=37x1,37x1 --range=index=-3:110 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// A row of two values, one of which is at an index, is summed without a reduction.
// NUMBERS: check {{.*}} ok

// The gradient that a cross entropy sums: -1 at the index, times the weight of the row. Adding 0 removes the sign of zeros.
// CHECK-LABEL: fuser.fusion @weighted
// CHECK-SAME: %[[INDEX:[a-z0-9]+]]: tensor<?x1xi64>, %[[W:[a-z0-9]+]]: tensor<?x1xf32>
// CHECK-NOT: fuser.sum
// CHECK: %[[ONE:.+]] = fuser.full %{{.+}} : f64 -> tensor<1x1xf32>
// CHECK: %[[A:.+]] = fuser.mul %[[ONE]], %[[W]] : (tensor<1x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
// CHECK: %[[ZERO:.+]] = fuser.full %{{.+}} : f64 -> tensor<1x1xf32>
// CHECK: %[[B:.+]] = fuser.mul %[[ZERO]], %[[W]] : (tensor<1x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
// CHECK: %[[OTHERS:.+]] = fuser.mul %[[B]], %{{.+}} : (tensor<?x1xf32>, i64)
// CHECK: %[[SOME:.+]] = fuser.add %[[A]], %[[OTHERS]]
// CHECK: %[[NONE:.+]] = fuser.mul %[[B]], %{{.+}} : (tensor<?x1xf32>, i64)
// CHECK-DAG: fuser.ge %[[INDEX]]
// CHECK-DAG: fuser.lt %[[INDEX]]
// CHECK: %[[INSIDE:.+]] = fuser.logical_and
// CHECK: %[[SUM:.+]] = fuser.where %[[INSIDE]], %[[SOME]], %[[NONE]]
// CHECK: fuser.squeeze %[[SUM]] dims [1]
fuser.fusion @weighted(%index: tensor<?x1xi64>, %w: tensor<?x1xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %minus = arith.constant -1.0 : f64
  %zero = arith.constant 0.0 : f64
  %one = fuser.full %minus : f64 -> tensor<1x100xf32>
  %others = fuser.full %zero : f64 -> tensor<1x100xf32>
  %iota = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
  %at = fuser.broadcast %iota dims [0] : tensor<100xi64> -> tensor<1x100xi64>
  %hit = fuser.eq %at, %index : (tensor<1x100xi64>, tensor<?x1xi64>) -> tensor<?x100xi1>
  %0 = fuser.where %hit, %one, %others : (tensor<?x100xi1>, tensor<1x100xf32>, tensor<1x100xf32>) -> tensor<?x100xf32>
  %1 = fuser.mul %0, %w : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %3 = fuser.add %2, %zero : (tensor<?xf32>, f64) -> tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// Other elements are no zeros, selections may be scalars, and summands values of the row. All of it is exact.
// CHECK-LABEL: fuser.fusion @smoothed
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @smoothed(%index: tensor<?x1xi64>, %w: tensor<?x1xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %most = arith.constant 0.875 : f32
  %few = arith.constant 0.0078125 : f32
  %sign = fuser.sign %w : tensor<?x1xf32>
  %iota = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
  %at = fuser.broadcast %iota dims [0] : tensor<100xi64> -> tensor<1x100xi64>
  %hit = fuser.eq %index, %at : (tensor<?x1xi64>, tensor<1x100xi64>) -> tensor<?x100xi1>
  %0 = fuser.where %hit, %most, %few : (tensor<?x100xi1>, f32, f32) -> tensor<?x100xf32>
  %1 = fuser.mul %0, %sign : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
  %shift = fuser.expand %sign : tensor<?x1xf32> -> tensor<?x100xf32>
  %sum = fuser.add %1, %shift : tensor<?x100xf32>
  %2 = fuser.sum %sum dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// Zero times an infinite weight is NaN, for rows without a selected element too.
// CHECK-LABEL: fuser.fusion @infinite
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @infinite(%index: tensor<?x1xi64>, %w: tensor<?x1xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %minus = arith.constant -1.0 : f32
  %zero = arith.constant 0.0 : f32
  %iota = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
  %at = fuser.broadcast %iota dims [0] : tensor<100xi64> -> tensor<1x100xi64>
  %hit = fuser.eq %index, %at : (tensor<?x1xi64>, tensor<1x100xi64>) -> tensor<?x100xi1>
  %weight = fuser.div %w, %zero : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %0 = fuser.where %hit, %minus, %zero : (tensor<?x100xi1>, f32, f32) -> tensor<?x100xf32>
  %1 = fuser.mul %0, %weight : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// Summands that vary along the row, selections by two indices, positions that do not start at 0, one index for all rows,
// rows of dynamic size, and sums of half types, which would round twice.
// CHECK-LABEL: fuser.fusion @stays
// CHECK-COUNT-6: fuser.sum
// CHECK: fuser.return
fuser.fusion @stays(%i: tensor<8x1xi64>, %j: tensor<8x1xi64>, %k: tensor<1x1xi64>, %x: tensor<8x100xf32>,
                    %w: tensor<8x1xf32>, %n: tensor<8x?xi64>, %h: tensor<8x1xbf16>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %iota = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
  %at = fuser.broadcast %iota dims [0] : tensor<100xi64> -> tensor<1x100xi64>
  %hit = fuser.eq %i, %at : (tensor<8x1xi64>, tensor<1x100xi64>) -> tensor<8x100xi1>
  %0 = fuser.where %hit, %w, %x : (tensor<8x100xi1>, tensor<8x1xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  %1 = fuser.sum %0 dims [1] : tensor<8x100xf32> -> tensor<8xf32>
  %hit2 = fuser.eq %j, %at : (tensor<8x1xi64>, tensor<1x100xi64>) -> tensor<8x100xi1>
  %2 = fuser.where %hit, %one, %zero : (tensor<8x100xi1>, f32, f32) -> tensor<8x100xf32>
  %3 = fuser.where %hit2, %w, %2 : (tensor<8x100xi1>, tensor<8x1xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  %4 = fuser.sum %3 dims [1] : tensor<8x100xf32> -> tensor<8xf32>
  %iota1 = fuser.iota %c1, %c1 : i64, i64 -> tensor<100xi64>
  %at1 = fuser.broadcast %iota1 dims [0] : tensor<100xi64> -> tensor<1x100xi64>
  %hit3 = fuser.eq %i, %at1 : (tensor<8x1xi64>, tensor<1x100xi64>) -> tensor<8x100xi1>
  %5 = fuser.where %hit3, %w, %zero : (tensor<8x100xi1>, tensor<8x1xf32>, f32) -> tensor<8x100xf32>
  %6 = fuser.sum %5 dims [1] : tensor<8x100xf32> -> tensor<8xf32>
  %hit4 = fuser.eq %k, %at : (tensor<1x1xi64>, tensor<1x100xi64>) -> tensor<1x100xi1>
  %7 = fuser.where %hit4, %w, %zero : (tensor<1x100xi1>, tensor<8x1xf32>, f32) -> tensor<8x100xf32>
  %8 = fuser.sum %7 dims [1] : tensor<8x100xf32> -> tensor<8xf32>
  %d = arith.constant 1 : index
  %size = tensor.dim %n, %d : tensor<8x?xi64>
  %iotan = fuser.iota %c0, %c1 length(%size) : i64, i64 -> tensor<?xi64>
  %atn = fuser.broadcast %iotan dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %hitn = fuser.eq %i, %atn : (tensor<8x1xi64>, tensor<1x?xi64>) -> tensor<8x?xi1>
  %9 = fuser.where %hitn, %w, %zero : (tensor<8x?xi1>, tensor<8x1xf32>, f32) -> tensor<8x?xf32>
  %10 = fuser.sum %9 dims [1] : tensor<8x?xf32> -> tensor<8xf32>
  %11 = fuser.where %hit, %h, %zero : (tensor<8x100xi1>, tensor<8x1xbf16>, f32) -> tensor<8x100xbf16>
  %12 = fuser.sum %11 dims [1] : tensor<8x100xbf16> -> tensor<8xbf16>
  fuser.return %1, %4, %6, %8, %10, %12 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>
}
