// RUN: fuser-opt %s --fuser-hoist-slices | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=reflected --sizes=5x4 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=negative --sizes=5x4 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=wrapped | FileCheck %s --check-prefix=CHECKED
// Selections by comparisons of numbers that iotas and constants determine.

// CHECKED: check {{.*}} ok

// The columns that a reflected border of four reads, and whether they are negative: never, so that none is counted from the end.
// CHECK-LABEL: fuser.fusion @reflected
// CHECK: %[[INNER:.*]] = fuser.where
// CHECK: %[[COLUMN:.*]] = fuser.where %{{.*}}, %[[INNER]], %{{.*}} : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>)
// CHECK-NEXT: fuser.index_select %x, %[[COLUMN]]
fuser.fusion @reflected(%x: tensor<?x4xbf16>) -> tensor<?x6xbf16> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %size = arith.constant 4 : i64
  %last = arith.constant 5 : i64
  %twice = arith.constant 8 : i64
  %i = fuser.iota %zero, %one : i64, i64 -> tensor<6xi32>
  %isFirst = fuser.lt %i, %one : (tensor<6xi32>, i64) -> tensor<6xi1>
  %next = fuser.iota %one, %one : i64, i64 -> tensor<6xi32>
  %before = fuser.iota %minus, %one : i64, i64 -> tensor<6xi32>
  %inner = fuser.where %isFirst, %next, %before : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %isNotLast = fuser.lt %i, %last : (tensor<6xi32>, i64) -> tensor<6xi1>
  %from = fuser.sub %i, %one : (tensor<6xi32>, i64) -> tensor<6xi32>
  %fromEnd = fuser.mul %from, %minus : (tensor<6xi32>, i64) -> tensor<6xi32>
  %mirrored = fuser.add %fromEnd, %twice : (tensor<6xi32>, i64) -> tensor<6xi32>
  %column = fuser.where %isNotLast, %inner, %mirrored : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %isNegative = fuser.lt %column, %zero : (tensor<6xi32>, i64) -> tensor<6xi1>
  %counted = fuser.add %column, %size : (tensor<6xi32>, i64) -> tensor<6xi32>
  %place = fuser.where %isNegative, %counted, %column : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %0 = fuser.index_select %x, %place dim 1 : tensor<?x4xbf16>, tensor<6xi32> -> tensor<?x6xbf16>
  fuser.return %0 : tensor<?x6xbf16>
}

// Not where one of them is.
// CHECK-LABEL: fuser.fusion @negative
// CHECK: %[[PLACE:.*]] = fuser.where %{{.*}}, %{{.*}}, %{{.*}} : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>)
// CHECK-NEXT: fuser.index_select %x, %[[PLACE]]
fuser.fusion @negative(%x: tensor<?x4xbf16>) -> tensor<?x6xbf16> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %size = arith.constant 4 : i64
  %i = fuser.iota %zero, %one : i64, i64 -> tensor<6xi32>
  %column = fuser.sub %i, %two : (tensor<6xi32>, i64) -> tensor<6xi32>
  %isNegative = fuser.lt %column, %zero : (tensor<6xi32>, i64) -> tensor<6xi1>
  %counted = fuser.add %column, %size : (tensor<6xi32>, i64) -> tensor<6xi32>
  %place = fuser.where %isNegative, %counted, %column : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %0 = fuser.index_select %x, %place dim 1 : tensor<?x4xbf16>, tensor<6xi32> -> tensor<?x6xbf16>
  fuser.return %0 : tensor<?x6xbf16>
}

// Not where numbers wrap: 100 + 100 is negative as an i8.
// CHECK-LABEL: fuser.fusion @wrapped
// CHECK: fuser.lt
// CHECK: fuser.where
fuser.fusion @wrapped() -> tensor<2xi8> {
  %zero = arith.constant 0 : i64
  %hundred = arith.constant 100 : i64
  %i = fuser.iota %hundred, %zero : i64, i64 -> tensor<2xi8>
  %sum = fuser.add %i, %hundred : (tensor<2xi8>, i64) -> tensor<2xi8>
  %isNegative = fuser.lt %sum, %zero : (tensor<2xi8>, i64) -> tensor<2xi1>
  %0 = fuser.where %isNegative, %i, %sum : (tensor<2xi1>, tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  fuser.return %0 : tensor<2xi8>
}
