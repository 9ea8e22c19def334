// RUN: fuser-opt %s --fuser-sink-joins > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-sink-joins | diff %t.after.mlir -
// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions --fuser-choose-schedules 2>/dev/null | FileCheck %s --check-prefix=KERNELS
// RUN: fuser-run %s --program=tokens --device=host --check
// RUN: fuser-run %s --program=rows --device=host --sizes=6x40,2x40,1x40 --check
// Parts that have loops of their own are stored where they belong, with what is computed of all parts.

// Patches to tokens, behind a class token: a transposition stores the sum.
// CHECK-LABEL: fuser.fusion @tokens
// CHECK-SAME: (%[[C:[a-z0-9]+]]: tensor<1x1x64xbf16>, %[[X:[a-z0-9]+]]: tensor<3x64x40xbf16>, %[[P:[a-z0-9]+]]: tensor<1x41x64xbf16>)
// CHECK-DAG: %[[FIRST:.*]] = fuser.expand %[[C]]
// CHECK-DAG: %[[PERMUTED:.*]] = fuser.permute %[[X]] [0, 2, 1]
// CHECK: %[[P0:.*]] = fuser.slice %[[P]] [0, 0, 0] [1, 1, 64]
// CHECK-NEXT: %[[SUM0:.*]] = fuser.add %[[FIRST]], %[[P0]] : (tensor<3x1x64xbf16>, tensor<1x1x64xbf16>) -> tensor<3x1x64xbf16>
// CHECK-NEXT: %[[P1:.*]] = fuser.slice %[[P]] [0, 1, 0] [1, 40, 64]
// CHECK-NEXT: %[[SUM1:.*]] = fuser.add %[[PERMUTED]], %[[P1]] : (tensor<3x40x64xbf16>, tensor<1x40x64xbf16>) -> tensor<3x40x64xbf16>
// CHECK-NEXT: %[[CAT:.*]] = fuser.cat %[[SUM0]], %[[SUM1]] dim 1
// CHECK-NEXT: fuser.return %[[CAT]]
// KERNELS-LABEL: fuser.kernel @tokens_1(%x: tensor<3x64x40xbf16>
// KERNELS-NOT: fuser.cat
// KERNELS: fuser.host @tokens
fuser.fusion @tokens(%c: tensor<1x1x64xbf16>, %x: tensor<3x64x40xbf16>, %p: tensor<1x41x64xbf16>) -> (tensor<3x41x64xbf16>) attributes {output_orders = [array<i64: 0, 1, 2>]} {
  %0 = fuser.expand %c : tensor<1x1x64xbf16> -> tensor<3x1x64xbf16>
  %1 = fuser.permute %x [0, 2, 1] : tensor<3x64x40xbf16> -> tensor<3x40x64xbf16>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<3x1x64xbf16>, tensor<3x40x64xbf16>) -> tensor<3x41x64xbf16>
  %3 = fuser.add %2, %p : (tensor<3x41x64xbf16>, tensor<1x41x64xbf16>) -> tensor<3x41x64xbf16>
  fuser.return %3 : tensor<3x41x64xbf16>
}

// A softmax and an argument; the bias has one element for all parts. Rows of unknown number stay: the parts are joined along them.
// CHECK-LABEL: fuser.fusion @rows
// CHECK: fuser.cat
// CHECK: fuser.mul
fuser.fusion @rows(%x: tensor<?x40xf32>, %y: tensor<2x40xf32>, %bias: tensor<1x40xf32>) -> tensor<?x40xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x40xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x40xf32>, tensor<?x1xf32>) -> tensor<?x40xf32>
  %3 = fuser.cat %2, %y dim 0 : (tensor<?x40xf32>, tensor<2x40xf32>) -> tensor<?x40xf32>
  %4 = fuser.mul %3, %bias : (tensor<?x40xf32>, tensor<1x40xf32>) -> tensor<?x40xf32>
  fuser.return %4 : tensor<?x40xf32>
}

// A row of unknown number of elements beside joined columns: its slices would need sizes.
// CHECK-LABEL: fuser.fusion @columns
// CHECK: %[[NORM:.*]] = fuser.sub
// CHECK: %[[A:.*]] = fuser.mul %[[NORM]], %{{.*}} : (tensor<?x40xf32>, tensor<?x1xf32>) -> tensor<?x40xf32>
// CHECK: %[[B:.*]] = fuser.mul %{{.*}}, %{{.*}} : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
// CHECK: fuser.cat %[[A]], %[[B]] dim 1
fuser.fusion @columns(%x: tensor<?x40xf32>, %y: tensor<?x8xf32>, %scale: tensor<?x1xf32>) -> tensor<?x48xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x40xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x40xf32>, tensor<?x1xf32>) -> tensor<?x40xf32>
  %3 = fuser.cat %2, %y dim 1 : (tensor<?x40xf32>, tensor<?x8xf32>) -> tensor<?x48xf32>
  %4 = fuser.mul %3, %scale : (tensor<?x48xf32>, tensor<?x1xf32>) -> tensor<?x48xf32>
  fuser.return %4 : tensor<?x48xf32>
}

// A result that is used twice, and parts of arguments alone, stay.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: fuser.cat
// CHECK: fuser.exp
// CHECK: fuser.cat
// CHECK: fuser.neg
fuser.fusion @stays(%x: tensor<40x8xf32>, %y: tensor<2x40xf32>) -> (tensor<10x40xf32>, tensor<10x40xf32>, tensor<4x40xf32>) {
  %0 = fuser.permute %x [1, 0] : tensor<40x8xf32> -> tensor<8x40xf32>
  %1 = fuser.cat %0, %y dim 0 : (tensor<8x40xf32>, tensor<2x40xf32>) -> tensor<10x40xf32>
  %2 = fuser.exp %1 : tensor<10x40xf32>
  %3 = fuser.cat %y, %y dim 0 : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<4x40xf32>
  %4 = fuser.neg %3 : tensor<4x40xf32>
  fuser.return %1, %2, %4 : tensor<10x40xf32>, tensor<10x40xf32>, tensor<4x40xf32>
}
