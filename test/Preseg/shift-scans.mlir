// RUN: fuser-opt %s --fuser-shift-scans > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-shift-scans | diff %t.after.mlir -
// RUN: fuser-run %s --program=pad --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=pad --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=pad --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=crop --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=crop --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=crop --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=join --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=join --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=join --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=operand --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=operand --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=operand --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=prefix --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=prefix --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=prefix --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=offsets --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=offsets --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=offsets --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=backward --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=backward --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=backward --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=first --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=first --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=first --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=first_backward --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=first_backward --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=first_backward --device=host --sizes=5x7 --check
// RUN: fuser-run %s --program=dynamic --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=dynamic --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=dynamic --device=host --sizes=5x7 --check
// What precedes each element in the order of a scan, in all the ways to state it.

// CHECK-LABEL: fuser.fusion @pad
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[R:.*]] = fuser.cumprod %[[X]] dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @pad(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x7xf32>
  %one = arith.constant 1.0 : f64
  %0 = fuser.cumprod %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.slice %0 [0, 0] [%r, 6] : tensor<?x7xf32> -> tensor<?x6xf32>
  %2 = fuser.pad %1 low [0, 1] high [0, 0] value %one : tensor<?x6xf32>, f64 -> tensor<?x7xf32>
  fuser.return %2 : tensor<?x7xf32>
}

// One pad drops an element and adds one.
// CHECK-LABEL: fuser.fusion @crop
// CHECK: %[[R:.*]] = fuser.cumsum %{{.*}} dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @crop(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.cumsum %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.pad %0 low [0, 1] high [0, -1] value %zero : tensor<?x7xf32>, f32 -> tensor<?x7xf32>
  fuser.return %1 : tensor<?x7xf32>
}

// CHECK-LABEL: fuser.fusion @join
// CHECK: %[[R:.*]] = fuser.cummax %{{.*}} dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @join(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x7xf32>
  %least = arith.constant 0xFF800000 : f32
  %0 = fuser.cummax %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.slice %0 [0, 0] [%r, 6] : tensor<?x7xf32> -> tensor<?x6xf32>
  %2 = fuser.full %least sizes(%r) : f32 -> tensor<?x1xf32>
  %3 = fuser.cat %2, %1 dim 1 : (tensor<?x1xf32>, tensor<?x6xf32>) -> tensor<?x7xf32>
  fuser.return %3 : tensor<?x7xf32>
}

// The operand is shifted.
// CHECK-LABEL: fuser.fusion @operand
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[R:.*]] = fuser.cumsum %[[X]] dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @operand(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x7xf32>
  %zero = arith.constant 0.0 : f32
  %0 = fuser.slice %x [0, 0] [%r, 6] : tensor<?x7xf32> -> tensor<?x6xf32>
  %1 = fuser.pad %0 low [0, 1] high [0, 0] value %zero : tensor<?x6xf32>, f32 -> tensor<?x7xf32>
  %2 = fuser.cumsum %1 dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  fuser.return %2 : tensor<?x7xf32>
}

// A neutral element is scanned too, and the last result dropped.
// CHECK-LABEL: fuser.fusion @prefix
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[R:.*]] = fuser.cumprod %[[X]] dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @prefix(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x7xf32>
  %one = arith.constant 1.0 : f64
  %0 = fuser.full %one sizes(%r) : f64 -> tensor<?x1xf32>
  %1 = fuser.cat %0, %x dim 1 : (tensor<?x1xf32>, tensor<?x7xf32>) -> tensor<?x8xf32>
  %2 = fuser.cumprod %1 dim 1 : tensor<?x8xf32> -> tensor<?x8xf32>
  %3 = fuser.slice %2 [0, 0] [%r, 7] : tensor<?x8xf32> -> tensor<?x7xf32>
  fuser.return %3 : tensor<?x7xf32>
}

// All results of an operand with a neutral element are those of the operand, padded, also where some are read as above.
// CHECK-LABEL: fuser.fusion @offsets
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[S:.*]] = fuser.cumsum %[[X]] dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK: %[[P:.*]] = fuser.pad %[[S]] low [0, 1] high [0, 0]
// CHECK: %[[E:.*]] = fuser.cumsum %[[X]] dim 1 exclusive
// CHECK: fuser.return %[[P]], %[[E]]
fuser.fusion @offsets(%x: tensor<?x7xf32>) -> (tensor<?x8xf32>, tensor<?x7xf32>) {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x7xf32>
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [0, 1] high [0, 0] value %zero : tensor<?x7xf32>, f32 -> tensor<?x8xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x8xf32> -> tensor<?x8xf32>
  %2 = fuser.slice %1 [0, 0] [%r, 7] : tensor<?x8xf32> -> tensor<?x7xf32>
  fuser.return %1, %2 : tensor<?x8xf32>, tensor<?x7xf32>
}

// CHECK-LABEL: fuser.fusion @backward
// CHECK: %[[R:.*]] = fuser.cumsum %{{.*}} dim 1 reverse exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @backward(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x7xf32>
  %zero = arith.constant 0.0 : f32
  %0 = fuser.cumsum %x dim 1 reverse : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.slice %0 [0, 1] [%r, 6] : tensor<?x7xf32> -> tensor<?x6xf32>
  %2 = fuser.pad %1 low [0, 0] high [0, 1] value %zero : tensor<?x6xf32>, f32 -> tensor<?x7xf32>
  fuser.return %2 : tensor<?x7xf32>
}

// Another element than the neutral one is selected.
// CHECK-LABEL: fuser.fusion @first
// CHECK: %[[E:.*]] = fuser.cumprod %{{.*}} dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK: fuser.where %{{.*}}, %{{.*}}, %[[E]]
fuser.fusion @first(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c = arith.constant 0.5 : f64
  %0 = fuser.cumprod %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.pad %0 low [0, 1] high [0, -1] value %c : tensor<?x7xf32>, f64 -> tensor<?x7xf32>
  fuser.return %1 : tensor<?x7xf32>
}
// CHECK-LABEL: fuser.fusion @first_backward
// CHECK: %[[E:.*]] = fuser.cumsum %{{.*}} dim 0 reverse exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
// CHECK: fuser.where %{{.*}}, %{{.*}}, %[[E]]
fuser.fusion @first_backward(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c = arith.constant 0.5 : f64
  %0 = fuser.cumsum %x dim 0 reverse : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.pad %0 low [-1, 0] high [1, 0] value %c : tensor<?x7xf32>, f64 -> tensor<?x7xf32>
  fuser.return %1 : tensor<?x7xf32>
}

// Sizes that are known at run time only.
// CHECK-LABEL: fuser.fusion @dynamic
// CHECK: %[[R:.*]] = fuser.cumsum %{{.*}} dim 1 exclusive : tensor<?x?xf32> -> tensor<?x?xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %m = arith.subi %n, %c1 : index
  %zero = arith.constant 0.0 : f32
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.slice %0 [0, 0] [%r, %m] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.pad %1 low [0, 1] high [0, 0] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// Does nothing to a shift by two, in the other direction or along another dimension, and to an operand whose added element is
// not neutral, or is the last one.
// CHECK-LABEL: fuser.fusion @kept
// CHECK-NOT: exclusive
fuser.fusion @kept(%x: tensor<?x7xf32>) -> (tensor<?x7xf32>, tensor<?x7xf32>, tensor<?x7xf32>, tensor<?x8xf32>, tensor<?x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = fuser.cumsum %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.pad %0 low [0, 2] high [0, -2] value %zero : tensor<?x7xf32>, f32 -> tensor<?x7xf32>
  %2 = fuser.pad %0 low [0, -1] high [0, 1] value %zero : tensor<?x7xf32>, f32 -> tensor<?x7xf32>
  %3 = fuser.pad %0 low [1, 0] high [-1, 0] value %zero : tensor<?x7xf32>, f32 -> tensor<?x7xf32>
  %4 = fuser.pad %x low [0, 0] high [0, 1] value %zero : tensor<?x7xf32>, f32 -> tensor<?x8xf32>
  %5 = fuser.cumsum %4 dim 1 : tensor<?x8xf32> -> tensor<?x8xf32>
  %6 = fuser.pad %x low [0, 1] high [0, -1] value %one : tensor<?x7xf32>, f32 -> tensor<?x7xf32>
  %7 = fuser.cumsum %6 dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  fuser.return %1, %2, %3, %5, %7 : tensor<?x7xf32>, tensor<?x7xf32>, tensor<?x7xf32>, tensor<?x8xf32>, tensor<?x7xf32>
}
