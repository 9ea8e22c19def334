// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions="target=h200" --fuser-choose-schedules="target=h200" | FileCheck %s
// Norms whose results have another order in memory than their rows: the stores of the norm would be scattered, each of one
// element in a sector of memory. One kernel reduces and another one transposes where both together take less time.

// Log-softmax of a transposed view, stored as the view is.
// CHECK-LABEL: fuser.kernel @transposed_0(
// CHECK-SAME: -> (tensor<20000xf32>, tensor<1x20000xf32>)
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<
// CHECK: fuser.max
// CHECK: fuser.sum
// CHECK-LABEL: fuser.kernel @transposed_1(
// CHECK-SAME: output_orders = [array<i64: 0, 1>]
// CHECK-SAME: schedule = #fuser_sched.transpose<
// CHECK-NOT: fuser.max
// CHECK-NOT: fuser.kernel @transposed_2
// CHECK-LABEL: fuser.host @transposed(
fuser.fusion @transposed(%x: tensor<20000x1000xbf16>) -> tensor<1000x20000xbf16> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.permute %x [1, 0] : tensor<20000x1000xbf16> -> tensor<1000x20000xbf16>
  %1 = fuser.cast %0 : tensor<1000x20000xbf16> to tensor<1000x20000xf32>
  %2 = fuser.max %1 dims [0] : tensor<1000x20000xf32> -> tensor<20000xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<20000xf32> -> tensor<1x20000xf32>
  %4 = fuser.sub %1, %3 : (tensor<1000x20000xf32>, tensor<1x20000xf32>) -> tensor<1000x20000xf32>
  %5 = fuser.exp %4 : tensor<1000x20000xf32>
  %6 = fuser.sum %5 dims [0] : tensor<1000x20000xf32> -> tensor<20000xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<20000xf32> -> tensor<1x20000xf32>
  %8 = fuser.log %7 : tensor<1x20000xf32>
  %9 = fuser.sub %4, %8 : (tensor<1000x20000xf32>, tensor<1x20000xf32>) -> tensor<1000x20000xf32>
  %10 = fuser.cast %9 : tensor<1000x20000xf32> to tensor<1000x20000xbf16>
  fuser.return %10 : tensor<1000x20000xbf16>
}

// Of rows that no block keeps.
// CHECK-LABEL: fuser.kernel @long_rows_0(
// CHECK-SAME: schedule = #fuser_sched.streaming<
// CHECK-LABEL: fuser.kernel @long_rows_1(
// CHECK-SAME: schedule = #fuser_sched.transpose<
// CHECK-NOT: fuser.kernel @long_rows_2
// CHECK-LABEL: fuser.host @long_rows(
fuser.fusion @long_rows(%x: tensor<1000x32000xf32>) -> tensor<32000x1000xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  %1 = fuser.permute %x [1, 0] : tensor<1000x32000xf32> -> tensor<32000x1000xf32>
  %2 = fuser.max %1 dims [0] : tensor<32000x1000xf32> -> tensor<1000xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<1000xf32> -> tensor<1x1000xf32>
  %4 = fuser.sub %1, %3 : (tensor<32000x1000xf32>, tensor<1x1000xf32>) -> tensor<32000x1000xf32>
  %5 = fuser.exp %4 : tensor<32000x1000xf32>
  %6 = fuser.sum %5 dims [0] : tensor<32000x1000xf32> -> tensor<1000xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<1000xf32> -> tensor<1x1000xf32>
  %8 = fuser.log %7 : tensor<1x1000xf32>
  %9 = fuser.sub %4, %8 : (tensor<32000x1000xf32>, tensor<1x1000xf32>) -> tensor<32000x1000xf32>
  fuser.return %9 : tensor<32000x1000xf32>
}

// Not if the result has the order of the rows.
// CHECK-LABEL: fuser.kernel @same_order_0(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<
// CHECK-NOT: fuser.kernel @same_order_1
// CHECK-LABEL: fuser.host @same_order(
fuser.fusion @same_order(%x: tensor<20000x1000xbf16>) -> tensor<1000x20000xbf16> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.permute %x [1, 0] : tensor<20000x1000xbf16> -> tensor<1000x20000xbf16>
  %1 = fuser.cast %0 : tensor<1000x20000xbf16> to tensor<1000x20000xf32>
  %2 = fuser.max %1 dims [0] : tensor<1000x20000xf32> -> tensor<20000xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<20000xf32> -> tensor<1x20000xf32>
  %4 = fuser.sub %1, %3 : (tensor<1000x20000xf32>, tensor<1x20000xf32>) -> tensor<1000x20000xf32>
  %5 = fuser.exp %4 : tensor<1000x20000xf32>
  %6 = fuser.sum %5 dims [0] : tensor<1000x20000xf32> -> tensor<20000xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<20000xf32> -> tensor<1x20000xf32>
  %8 = fuser.log %7 : tensor<1x20000xf32>
  %9 = fuser.sub %4, %8 : (tensor<1000x20000xf32>, tensor<1x20000xf32>) -> tensor<1000x20000xf32>
  %10 = fuser.cast %9 : tensor<1000x20000xf32> to tensor<1000x20000xbf16>
  fuser.return %10 : tensor<1000x20000xbf16>
}

// Not if scattered stores are so few that they cost less than another launch.
// CHECK-LABEL: fuser.kernel @small_0(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<
// CHECK-NOT: fuser.kernel @small_1
// CHECK-LABEL: fuser.host @small(
fuser.fusion @small(%x: tensor<500x500xbf16>) -> tensor<500x500xbf16> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.permute %x [1, 0] : tensor<500x500xbf16> -> tensor<500x500xbf16>
  %1 = fuser.cast %0 : tensor<500x500xbf16> to tensor<500x500xf32>
  %2 = fuser.max %1 dims [0] : tensor<500x500xf32> -> tensor<500xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<500xf32> -> tensor<1x500xf32>
  %4 = fuser.sub %1, %3 : (tensor<500x500xf32>, tensor<1x500xf32>) -> tensor<500x500xf32>
  %5 = fuser.exp %4 : tensor<500x500xf32>
  %6 = fuser.sum %5 dims [0] : tensor<500x500xf32> -> tensor<500xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<500xf32> -> tensor<1x500xf32>
  %8 = fuser.log %7 : tensor<1x500xf32>
  %9 = fuser.sub %4, %8 : (tensor<500x500xf32>, tensor<1x500xf32>) -> tensor<500x500xf32>
  %10 = fuser.cast %9 : tensor<500x500xf32> to tensor<500x500xbf16>
  fuser.return %10 : tensor<500x500xbf16>
}

// Softmax over rows, stored transposed: the transposition computes the exponentials again, and no scheduler takes the maximum and
// the sum without storing them. Each becomes a kernel that computes what it reads, where there was one for each op.

// CHECK-LABEL: fuser.kernel @over_rows_0(
// CHECK: fuser.cast
// CHECK-NEXT: fuser.max
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @over_rows_1(
// CHECK: fuser.cast
// CHECK: fuser.exp
// CHECK-NEXT: fuser.sum
// CHECK-NEXT: fuser.broadcast
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @over_rows_2(
// CHECK: fuser.exp
// CHECK: fuser.div
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @over_rows(
fuser.fusion @over_rows(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.cast %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuser.max %0 dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %3 = fuser.sub %0, %2 : (tensor<4096x4096xf32>, tensor<1x4096xf32>) -> tensor<4096x4096xf32>
  %4 = fuser.exp %3 : tensor<4096x4096xf32>
  %5 = fuser.sum %4 dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %6 = fuser.broadcast %5 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %7 = fuser.div %4, %6 : (tensor<4096x4096xf32>, tensor<1x4096xf32>) -> tensor<4096x4096xf32>
  %8 = fuser.cast %7 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  fuser.return %8 : tensor<4096x4096xbf16>
}
