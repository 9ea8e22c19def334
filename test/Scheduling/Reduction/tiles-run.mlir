// RUN: fuser-run %s --device=host --target=h200 --check --program=distances --sizes=400x32,520x32 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=distances --sizes=1001x7,1204x7 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=distances --sizes=1003x16,1203x16 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=distances --sizes=1003x20,1204x20 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=distances --sizes=400x0,520x0 | FileCheck %s --check-prefix=EMPTY
// RUN: fuser-run %s --device=host --target=h200 --check --program=distances --sizes=1001x1,1204x1 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=batches --sizes=3x200x24,3x400x24 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=mixtures --sizes=40001x16,8x16,8x16,8 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=columns --sizes=400x12,12x520,520 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=nearest --sizes=40000x6,64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=codes --sizes=300x64x64,16 | FileCheck %s
// Several sizes and types, blocks that are not full, rows that no vector divides, an odd number of results, one or no reduced
// element, lists in batches, parameters of each column, a list whose vectors are results, and one that lacks what is reduced.
// CHECK: block {{2x64|8x16|16x8}} (
// CHECK: check {{.*}} ok
// EMPTY: check {{.*}} ok

fuser.fusion @distances(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.broadcast %a dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.mul %2, %2 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %4 = fuser.sum %3 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %5 = fuser.sqrt %4 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}

fuser.fusion @batches(%a: tensor<?x?x?xbf16>, %b: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16>
    attributes {output_orders = [array<i64: 0, 1, 2>]} {
  %0 = fuser.broadcast %a dims [2] : tensor<?x?x?xbf16> -> tensor<?x?x1x?xbf16>
  %1 = fuser.broadcast %b dims [1] : tensor<?x?x?xbf16> -> tensor<?x1x?x?xbf16>
  %2 = fuser.cast %0 : tensor<?x?x1x?xbf16> to tensor<?x?x1x?xf32>
  %3 = fuser.cast %1 : tensor<?x1x?x?xbf16> to tensor<?x1x?x?xf32>
  %4 = fuser.sub %2, %3 : (tensor<?x?x1x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x?x?x?xf32>
  %5 = fuser.abs %4 : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %6 = fuser.max %5 dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %7 = fuser.cast %6 : tensor<?x?x?xf32> to tensor<?x?x?xbf16>
  fuser.return %7 : tensor<?x?x?xbf16>
}

fuser.fusion @mixtures(%x: tensor<?x?xf32>, %m: tensor<?x?xf32>, %s: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32>
    attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.broadcast %x dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %1 = fuser.broadcast %m dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.broadcast %s dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %4 = fuser.div %2, %3 : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %5 = fuser.mul %4, %4 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %6 = fuser.sum %5 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %7 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %8 = fuser.sub %7, %6 : (tensor<1x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %8 : tensor<?x?xf32>
}

fuser.fusion @columns(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32>
    attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.broadcast %a dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?x1xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.sum %2 dims [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %5 = fuser.add %3, %4 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}

fuser.fusion @nearest(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32>
    attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.broadcast %a dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %1 = fuser.broadcast %b dims [0, 1] : tensor<?xf32> -> tensor<1x1x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x?x1xf32>, tensor<1x1x?xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.abs %2 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %4 = fuser.min %3 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}

// Steps of a table that has none of the dimensions of results: its loads have no loops over them.
fuser.fusion @codes(%a: tensor<?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuser.broadcast %a dims [3] : tensor<?x?x?xf32> -> tensor<?x?x?x1xf32>
  %1 = fuser.broadcast %b dims [0, 1, 2] : tensor<?xf32> -> tensor<1x1x1x?xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x?x?x1xf32>, tensor<1x1x1x?xf32>) -> tensor<?x?x?x?xf32>
  %3 = fuser.abs %2 : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %4 = fuser.min %3 dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %4 : tensor<?x?x?xf32>
}
