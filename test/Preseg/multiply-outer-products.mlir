// RUN: fuser-opt %s --fuser-multiply-outer-products > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-multiply-outer-products | diff %t.after.mlir -
// RUN: fuser-run %s --program=matmul --device=reference --sizes=3x7x1,1x9 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=matmul --device=reference --sizes=3x7x1,1x9 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=matmul --device=host --sizes=3x7x1,1x9 --check
// RUN: fuser-run %s --program=linear --device=host --sizes=4x7x1,9x1,9 --check
// RUN: fuser-run %t.after.mlir --program=linear --device=host --sizes=4x7x1,9x1,9 --check
// RUN: fuser-run %s --program=linear --device=reference --sizes=4x7x1,9x1,9 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=linear --device=reference --sizes=4x7x1,9x1,9 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// A contraction of one product is a multiplication, with the rounding of the contraction.

// An operand that all batches share gets dimensions in front.
// CHECK-LABEL: fuser.fusion @matmul
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<?x?x1xbf16>, %[[B:[a-z0-9]+]]: tensor<1x?xbf16>)
// CHECK-NEXT: %[[RHS:.*]] = fuser.broadcast %[[B]] dims [0] : tensor<1x?xbf16> -> tensor<1x1x?xbf16>
// CHECK-NEXT: %[[X:.*]] = fuser.cast %[[A]] : tensor<?x?x1xbf16> to tensor<?x?x1xf32>
// CHECK-NEXT: %[[Y:.*]] = fuser.cast %[[RHS]] : tensor<1x1x?xbf16> to tensor<1x1x?xf32>
// CHECK-NEXT: %[[MUL:.*]] = fuser.mul %[[X]], %[[Y]] : (tensor<?x?x1xf32>, tensor<1x1x?xf32>) -> tensor<?x?x?xf32>
// CHECK-NEXT: fuser.return %[[MUL]]
fuser.fusion @matmul(%a: tensor<?x?x1xbf16>, %b: tensor<1x?xbf16>) -> tensor<?x?x?xf32> {
  %0 = fuser.matmul %a, %b : tensor<?x?x1xbf16>, tensor<1x?xbf16> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// Of one type, the product itself computes and rounds as the contraction.
// CHECK-LABEL: fuser.fusion @half
// CHECK-NEXT: %[[MUL:.*]] = fuser.mul %{{.*}}, %{{.*}} : (tensor<4x1xbf16>, tensor<1x?xbf16>) -> tensor<4x?xbf16>
// CHECK-NEXT: fuser.return %[[MUL]]
fuser.fusion @half(%a: tensor<4x1xbf16>, %b: tensor<1x?xbf16>) -> tensor<4x?xbf16> {
  %0 = fuser.matmul %a, %b : tensor<4x1xbf16>, tensor<1x?xbf16> -> tensor<4x?xbf16>
  fuser.return %0 : tensor<4x?xbf16>
}

// The bias is added before the one rounding.
// CHECK-LABEL: fuser.fusion @linear
// CHECK: %[[W:.*]] = fuser.squeeze %{{.*}} dims [1] : tensor<9x1xbf16> -> tensor<9xbf16>
// CHECK: fuser.broadcast %[[W]] dims [0, 1] : tensor<9xbf16> -> tensor<1x1x9xbf16>
// CHECK: %[[MUL:.*]] = fuser.mul %{{.*}}, %{{.*}} : (tensor<?x7x1xf32>, tensor<1x1x9xf32>) -> tensor<?x7x9xf32>
// CHECK: %[[SUM:.*]] = fuser.add %[[MUL]], %{{.*}} : (tensor<?x7x9xf32>, tensor<1x1x9xf32>) -> tensor<?x7x9xf32>
// CHECK: %[[ROUND:.*]] = fuser.cast %[[SUM]] : tensor<?x7x9xf32> to tensor<?x7x9xbf16>
// CHECK: fuser.return %[[ROUND]]
fuser.fusion @linear(%x: tensor<?x7x1xbf16>, %w: tensor<9x1xbf16>, %b: tensor<9xbf16>) -> tensor<?x7x9xbf16> {
  %0 = fuser.linear %x, %w bias %b : tensor<?x7x1xbf16>, tensor<9x1xbf16>, tensor<9xbf16> -> tensor<?x7x9xbf16>
  fuser.return %0 : tensor<?x7x9xbf16>
}

// Does nothing where k is more than 1, or only run time knows.
// CHECK-LABEL: fuser.fusion @other
// CHECK: fuser.matmul
// CHECK: fuser.matmul
// CHECK-NOT: fuser.mul
fuser.fusion @other(%a: tensor<4x2xf32>, %b: tensor<2x5xf32>, %c: tensor<4x?xf32>, %d: tensor<?x5xf32>)
    -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = fuser.matmul %a, %b : tensor<4x2xf32>, tensor<2x5xf32> -> tensor<4x5xf32>
  %1 = fuser.matmul %c, %d : tensor<4x?xf32>, tensor<?x5xf32> -> tensor<4x5xf32>
  fuser.return %0, %1 : tensor<4x5xf32>, tensor<4x5xf32>
}
