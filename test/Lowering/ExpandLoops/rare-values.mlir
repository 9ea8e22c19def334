// What all lanes of a vector take at one place only is read in a branch.
// RUN: fuser-run %s --no-run --target=h200 --program=rows --dump-after=lowering | FileCheck %s
// RUN: fuser-run %s --no-run --target=h200 --program=columns --dump-after=lowering | FileCheck %s --check-prefix=COLUMNS
// RUN: fuser-run %s --device=host --check --program=rows | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=columns | FileCheck %s --check-prefix=CHECKED
// CHECKED: check {{.*}} ok

// The first row, next to the last one.
// CHECK-LABEL: gpu.func @rows_0
// CHECK: %[[LANES:.*]] = arith.cmpi eq, %{{.*}} : vector<4xi32>
// CHECK-NEXT: %[[LAST:.*]] = vector.extract %[[LANES]][0]
// CHECK: scf.if %[[LAST]] -> (f32, f32, f32, f32) {
// CHECK: vector.load
// CHECK: } else {
// CHECK-NOT: vector.load
// CHECK: scf.yield
// CHECK-NOT: arith.select %[[LAST]]
// CHECK: vector.store
fuser.fusion @rows(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c63 = arith.constant 63 : i64
  %zero = arith.constant 0.0 : f64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<64xi32>
  %1 = fuser.eq %0, %c63 : (tensor<64xi32>, i64) -> tensor<64xi1>
  %2 = fuser.broadcast %1 dims [1] : tensor<64xi1> -> tensor<64x1xi1>
  %3 = fuser.pad %x low [-1, 0] high [1, 0] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %4 = fuser.pad %x low [63, 0] high [-63, 0] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %5 = fuser.where %2, %4, %3 : (tensor<64x1xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = fuser.add %x, %5 : tensor<64x64xf32>
  fuser.return %6 : tensor<64x64xf32>
}

// Lanes that differ select, and read what each of them needs.
// COLUMNS-LABEL: gpu.func @columns_0
// COLUMNS: arith.cmpi eq, %{{.*}} : vector<4xi32>
// COLUMNS: arith.select
fuser.fusion @columns(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c63 = arith.constant 63 : i64
  %zero = arith.constant 0.0 : f64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<64xi32>
  %1 = fuser.eq %0, %c63 : (tensor<64xi32>, i64) -> tensor<64xi1>
  %2 = fuser.broadcast %1 dims [0] : tensor<64xi1> -> tensor<1x64xi1>
  %3 = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %4 = fuser.pad %x low [0, 63] high [0, -63] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %5 = fuser.where %2, %4, %3 : (tensor<1x64xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = fuser.add %x, %5 : tensor<64x64xf32>
  fuser.return %6 : tensor<64x64xf32>
}
