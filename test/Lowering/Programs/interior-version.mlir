// Versions of what a thread does for the interior of tensors and for their borders.
// RUN: fuser-opt %s --fuser-to-kernel-ir='target=h200' | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --program=periodic --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=vectors --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=zeros --check | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: check{{.*}}ok

// A thread has four elements, 128 columns apart. In columns 1 to 3713 (the last element then is in column 4097 at most) and
// rows 1 to 65 it loads them and their neighbors without guards and selections. The other version has both.
// CHECK-LABEL: gpu.func @periodic
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 3713 : index
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 65 : index
// CHECK: %[[ROW:.*]] = arith.subi %block_id_y, %[[ONE]] : index
// CHECK: %[[IN_ROWS:.*]] = arith.cmpi ult, %[[ROW]], %[[ROWS]] : index
// CHECK: %[[COLUMN:.*]] = arith.subi %{{.*}}, %[[ONE]] : index
// CHECK: %[[IN_COLUMNS:.*]] = arith.cmpi ult, %[[COLUMN]], %[[COLUMNS]] : index
// CHECK: %[[INSIDE:.*]] = arith.andi %[[IN_ROWS]], %[[IN_COLUMNS]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NOT: scf.if
// CHECK-NOT: arith.select
// CHECK-COUNT-4: memref.store %{{.*}} : memref<2147483647xf32
// CHECK-NOT: memref.store
// CHECK: } else {
// CHECK: scf.if
// CHECK: arith.select
// CHECK: gpu.return
fuser.fusion @periodic(%x: tensor<67x4099xf32>) -> tensor<67x4099xf32> {
  %a = fuser.slice %x [0, 1] [67, 4098] : tensor<67x4099xf32> -> tensor<67x4098xf32>
  %b = fuser.slice %x [0, 0] [67, 1] : tensor<67x4099xf32> -> tensor<67x1xf32>
  %right = fuser.cat %a, %b dim 1 : (tensor<67x4098xf32>, tensor<67x1xf32>) -> tensor<67x4099xf32>
  %c = fuser.slice %x [0, 4098] [67, 1] : tensor<67x4099xf32> -> tensor<67x1xf32>
  %d = fuser.slice %x [0, 0] [67, 4098] : tensor<67x4099xf32> -> tensor<67x4098xf32>
  %left = fuser.cat %c, %d dim 1 : (tensor<67x1xf32>, tensor<67x4098xf32>) -> tensor<67x4099xf32>
  %e = fuser.slice %x [1, 0] [66, 4099] : tensor<67x4099xf32> -> tensor<66x4099xf32>
  %f = fuser.slice %x [0, 0] [1, 4099] : tensor<67x4099xf32> -> tensor<1x4099xf32>
  %below = fuser.cat %e, %f dim 0 : (tensor<66x4099xf32>, tensor<1x4099xf32>) -> tensor<67x4099xf32>
  %g = fuser.slice %x [66, 0] [1, 4099] : tensor<67x4099xf32> -> tensor<1x4099xf32>
  %h = fuser.slice %x [0, 0] [66, 4099] : tensor<67x4099xf32> -> tensor<66x4099xf32>
  %above = fuser.cat %g, %h dim 0 : (tensor<1x4099xf32>, tensor<66x4099xf32>) -> tensor<67x4099xf32>
  %0 = fuser.sub %right, %left : tensor<67x4099xf32>
  %1 = fuser.sub %below, %above : tensor<67x4099xf32>
  %2 = fuser.mul %0, %1 : tensor<67x4099xf32>
  %3 = fuser.add %2, %x : tensor<67x4099xf32>
  fuser.return %3 : tensor<67x4099xf32>
}

// Selections of the lanes of vectors are known as well: a neighbor on the left and one on the right are loaded, the others
// are elements of the vector of the thread.
// CHECK-LABEL: gpu.func @vectors
// CHECK: scf.if %{{.*}} {
// CHECK-NOT: scf.if
// CHECK-NOT: arith.select
// CHECK-COUNT-2: memref.load
// CHECK-NOT: memref.load
// CHECK: vector.store
// CHECK: } else {
// CHECK: arith.select
// CHECK: gpu.return
fuser.fusion @vectors(%x: tensor<67x4096xf32>) -> tensor<67x4096xf32> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4095 = arith.constant 4095 : i64
  %columns = fuser.iota %c0, %c1 : i64, i64 -> tensor<4096xi32>
  %is_first = fuser.eq %columns, %c0 : (tensor<4096xi32>, i64) -> tensor<4096xi1>
  %first = fuser.broadcast %is_first dims [0] : tensor<4096xi1> -> tensor<1x4096xi1>
  %is_last = fuser.eq %columns, %c4095 : (tensor<4096xi32>, i64) -> tensor<4096xi1>
  %last = fuser.broadcast %is_last dims [0] : tensor<4096xi1> -> tensor<1x4096xi1>
  %a = fuser.pad %x low [0, 1] high [0, -1] value %zero : tensor<67x4096xf32>, f64 -> tensor<67x4096xf32>
  %b = fuser.pad %x low [0, -4095] high [0, 4095] value %zero : tensor<67x4096xf32>, f64 -> tensor<67x4096xf32>
  %left = fuser.where %first, %b, %a : (tensor<1x4096xi1>, tensor<67x4096xf32>, tensor<67x4096xf32>) -> tensor<67x4096xf32>
  %c = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<67x4096xf32>, f64 -> tensor<67x4096xf32>
  %d = fuser.pad %x low [0, 4095] high [0, -4095] value %zero : tensor<67x4096xf32>, f64 -> tensor<67x4096xf32>
  %right = fuser.where %last, %d, %c : (tensor<1x4096xi1>, tensor<67x4096xf32>, tensor<67x4096xf32>) -> tensor<67x4096xf32>
  %0 = fuser.add %right, %left : tensor<67x4096xf32>
  %1 = fuser.add %x, %0 : tensor<67x4096xf32>
  fuser.return %1 : tensor<67x4096xf32>
}

// Zeros around a tensor.
// CHECK-LABEL: gpu.func @zeros
// CHECK: scf.if %{{.*}} {
// CHECK-NOT: scf.if
// CHECK-NOT: arith.select
// CHECK: } else {
// CHECK: gpu.return
fuser.fusion @zeros(%x: tensor<67x4099xf32>) -> tensor<67x4099xf32> {
  %zero = arith.constant 0.0 : f64
  %left = fuser.pad %x low [0, 1] high [0, -1] value %zero : tensor<67x4099xf32>, f64 -> tensor<67x4099xf32>
  %right = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<67x4099xf32>, f64 -> tensor<67x4099xf32>
  %above = fuser.pad %x low [1, 0] high [-1, 0] value %zero : tensor<67x4099xf32>, f64 -> tensor<67x4099xf32>
  %below = fuser.pad %x low [-1, 0] high [1, 0] value %zero : tensor<67x4099xf32>, f64 -> tensor<67x4099xf32>
  %0 = fuser.add %left, %right : tensor<67x4099xf32>
  %1 = fuser.add %above, %below : tensor<67x4099xf32>
  %2 = fuser.add %0, %1 : tensor<67x4099xf32>
  fuser.return %2 : tensor<67x4099xf32>
}

// A row is that of one warp, which has one plane and one row: those with neighbors are known. The last of eight elements keeps
// the guard of its column, which only one thread has.
// CHECK-LABEL: gpu.func @planes
// CHECK: %[[LAST:.*]] = arith.constant 223 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[LAST]] : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[LAST]] : index
// CHECK: scf.if %{{.*}} {
// CHECK-NOT: scf.if
// CHECK-COUNT-28: memref.load %{{.*}} : memref<2147483647xf32
// CHECK: scf.if
// CHECK: } else {
// CHECK: gpu.return
fuser.fusion @planes(%x: tensor<225x225x225xf32>) -> tensor<225x225x225xf32> {
  %zero = arith.constant 0.0 : f64
  %before = fuser.pad %x low [1, 0, 0] high [-1, 0, 0] value %zero : tensor<225x225x225xf32>, f64 -> tensor<225x225x225xf32>
  %after = fuser.pad %x low [-1, 0, 0] high [1, 0, 0] value %zero : tensor<225x225x225xf32>, f64 -> tensor<225x225x225xf32>
  %above = fuser.pad %x low [0, 1, 0] high [0, -1, 0] value %zero : tensor<225x225x225xf32>, f64 -> tensor<225x225x225xf32>
  %below = fuser.pad %x low [0, -1, 0] high [0, 1, 0] value %zero : tensor<225x225x225xf32>, f64 -> tensor<225x225x225xf32>
  %0 = fuser.add %before, %after : tensor<225x225x225xf32>
  %1 = fuser.add %above, %below : tensor<225x225x225xf32>
  %2 = fuser.add %0, %1 : tensor<225x225x225xf32>
  fuser.return %2 : tensor<225x225x225xf32>
}

// Half of the warps of a short row have an element at one of its ends, and would execute both versions.
// CHECK-LABEL: gpu.func @short_rows
// CHECK-NOT: } else {
// CHECK: gpu.return
fuser.fusion @short_rows(%x: tensor<50000x509xf32>) -> tensor<50000x509xf32> {
  %zero = arith.constant 0.0 : f64
  %left = fuser.pad %x low [0, 1] high [0, -1] value %zero : tensor<50000x509xf32>, f64 -> tensor<50000x509xf32>
  %right = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<50000x509xf32>, f64 -> tensor<50000x509xf32>
  %0 = fuser.sub %left, %right : tensor<50000x509xf32>
  fuser.return %0 : tensor<50000x509xf32>
}

// Functions take longer than guards: they have one version.
// CHECK-LABEL: gpu.func @functions
// CHECK-COUNT-4: memref.store %{{.*}} : memref<2147483647xf32
// CHECK-NOT: memref.store %{{.*}} : memref<2147483647xf32
// CHECK: gpu.return
fuser.fusion @functions(%x: tensor<67x4099xf32>) -> tensor<67x4099xf32> {
  %zero = arith.constant 0.0 : f64
  %left = fuser.pad %x low [0, 1] high [0, -1] value %zero : tensor<67x4099xf32>, f64 -> tensor<67x4099xf32>
  %0 = fuser.pow %x, %left : tensor<67x4099xf32>
  %1 = fuser.pow %0, %x : tensor<67x4099xf32>
  fuser.return %1 : tensor<67x4099xf32>
}
