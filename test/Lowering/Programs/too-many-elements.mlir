// Values that no memory bounds have fewer than 2^59 elements: kernels count them in 64 bits. The call fails before it writes anything.
// RUN: not fuser-run %s --device=host --program=full --scalar=n=1073741824 --scalar=m=1073741824 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not fuser-run %s --device=host --program=full --scalar=n=4294967296 --scalar=m=4294967296 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not fuser-run %s --device=host --program=full --check --scalar=n=4294967296 --scalar=m=4294967296 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: fuser-run %s --device=host --program=full --check --scalar=n=5 --scalar=m=7 | FileCheck %s
// RUN: fuser-run %s --device=host --program=full --no-run --scalar=n=5 --scalar=m=7 --dump-after=segmentation | FileCheck %s --check-prefix=HOST
// RUN: fuser-run %s --device=host --program=outer --no-run --sizes=5,7 --dump-after=segmentation | FileCheck %s --check-prefix=OUTER
// RUN: fuser-run %s --device=host --program=stored --no-run --sizes=5x7 --dump-after=segmentation | FileCheck %s --check-prefix=STORED
// CHECK: check {{.*}} ok
// FULL: fuser-run: expected n * m <= 576460752303423487 (elements of 'fuser.full'), but got 1152921504606846976 and 576460752303423487
// OVERFLOW: fuser-run: 'n * m': expected a result that fits 64 bits, but got operands 4294967296 and 4294967296

// HOST: %[[COUNT:.*]] = arith.muli %n, %m
// HOST: fuser.expect at_most %[[COUNT]], %{{.*}} "elements of 'fuser.full'"
fuser.fusion @full(%n: index, %m: index) -> tensor<i64> {
  %c = arith.constant 1 : i64
  %0 = fuser.full %c sizes(%n, %m) : i64 -> tensor<?x?xi64>
  %1 = fuser.sum %0 dims [0, 1] : tensor<?x?xi64> -> tensor<i64>
  fuser.return %1 : tensor<i64>
}

// Also of sizes of several arguments.
// OUTER: fuser.expect at_most {{.*}} "elements of 'fuser.mul'"
fuser.fusion @outer(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.max %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// Not where an argument has as many elements, nor for the multiple of one size.
// STORED-NOT: elements of
fuser.fusion @stored(%x: tensor<?x?xf32>) -> tensor<f32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.repeat %1 [4] : tensor<?xf32> -> tensor<?xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %3 : tensor<f32>
}
