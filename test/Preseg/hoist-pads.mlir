// RUN: fuser-opt %s --fuser-hoist-pads > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-hoist-pads | diff %t.after.mlir -
// RUN: fuser-run %s --program=merge --device=reference --sizes=4x6 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=merge --device=reference --sizes=4x6 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=merge --device=host --sizes=4x6 --check
// RUN: fuser-run %s --program=hoist --device=reference --sizes=4x6,4x6 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=hoist --device=reference --sizes=4x6,4x6 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=joined --device=reference --sizes=4x6 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=joined --device=reference --sizes=4x6 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=joined --device=host --sizes=4x6 --check
// Pads with one border value become one; a pad with 0 passes what keeps 0 to get there.

// Amounts add up, also where the second pad crops.
// CHECK-LABEL: fuser.fusion @merge
// CHECK: %[[V:.*]] = arith.constant 1.500000e+00 : f32
// CHECK: fuser.pad %{{.*}} low [3, 0] high [1, 1] value %[[V]] : tensor<4x?xf32>, f32 -> tensor<8x?xf32>
// CHECK-NEXT: fuser.return
fuser.fusion @merge(%x: tensor<4x?xf32>) -> tensor<8x?xf32> {
  %v = arith.constant 1.5 : f32
  %0 = fuser.pad %x low [1, 0] high [2, 3] value %v : tensor<4x?xf32>, f32 -> tensor<7x?xf32>
  %1 = fuser.pad %0 low [2, 0] high [0, 0] value %v : tensor<7x?xf32>, f32 -> tensor<9x?xf32>
  %2 = fuser.pad %1 low [0, 0] high [-1, -2] value %v : tensor<9x?xf32>, f32 -> tensor<8x?xf32>
  fuser.return %2 : tensor<8x?xf32>
}

// Both operands of an add take the pad that follows it.
// CHECK-LABEL: fuser.fusion @hoist
// CHECK-DAG: %[[X:.*]] = fuser.pad %{{.*}} low [1, 2] high [3, 1] {{.*}} : tensor<4x?xf32>, f32 -> tensor<8x?xf32>
// CHECK-DAG: %[[Y:.*]] = fuser.pad %{{.*}} low [1, 1] high [3, 2] {{.*}} : tensor<4x?xf32>, f32 -> tensor<8x?xf32>
// CHECK: %[[SUM:.*]] = fuser.add %[[X]], %[[Y]] : tensor<8x?xf32>
// CHECK-NEXT: %[[TANH:.*]] = fuser.tanh %[[SUM]] : tensor<8x?xf32>
// CHECK-NEXT: fuser.return %[[TANH]]
fuser.fusion @hoist(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<8x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [1, 1] high [1, 0] value %zero : tensor<4x?xf32>, f32 -> tensor<6x?xf32>
  %1 = fuser.pad %y low [1, 0] high [1, 1] value %zero : tensor<4x?xf32>, f32 -> tensor<6x?xf32>
  %2 = fuser.add %0, %1 : tensor<6x?xf32>
  %3 = fuser.tanh %2 : tensor<6x?xf32>
  %4 = fuser.pad %3 low [0, 1] high [2, 1] value %zero : tensor<6x?xf32>, f32 -> tensor<8x?xf32>
  fuser.return %4 : tensor<8x?xf32>
}

// The border of a bool is false, that of an integer 0: equal values in their types.
// CHECK-LABEL: fuser.fusion @zeros
// CHECK: fuser.pad %{{.*}} low [1] high [1] value %{{.*}} : tensor<?xi32>, i64 -> tensor<?xi32>
// CHECK: fuser.pad %{{.*}} low [2] high [0] value %{{.*}} : tensor<?xi1>, i1 -> tensor<?xi1>
fuser.fusion @zeros(%x: tensor<?xi32>, %y: tensor<?xi1>) -> (tensor<?xi32>, tensor<?xi1>) {
  %zero = arith.constant 0 : i64
  %other = arith.constant 0 : i32
  %false = arith.constant false
  %0 = fuser.pad %x low [1] high [0] value %zero : tensor<?xi32>, i64 -> tensor<?xi32>
  %1 = fuser.pad %0 low [0] high [1] value %other : tensor<?xi32>, i32 -> tensor<?xi32>
  %2 = fuser.pad %y low [1] high [0] value %false : tensor<?xi1>, i1 -> tensor<?xi1>
  %3 = fuser.pad %2 low [1] high [0] value %false : tensor<?xi1>, i1 -> tensor<?xi1>
  fuser.return %1, %3 : tensor<?xi32>, tensor<?xi1>
}

// Does not merge borders of different values (of different signs, even), what a crop would bring back, dynamic amounts.
// CHECK-LABEL: fuser.fusion @borders
// CHECK-COUNT-8: fuser.pad
// CHECK-NOT: fuser.pad
fuser.fusion @borders(%x: tensor<8xf32>, %y: tensor<?xf32>, %n: index)
    -> (tensor<10xf32>, tensor<10xf32>, tensor<8xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = fuser.pad %x low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %1 = fuser.pad %0 low [1] high [0] value %one : tensor<9xf32>, f32 -> tensor<10xf32>
  %2 = fuser.pad %x low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %3 = fuser.pad %2 low [1] high [0] value %negative : tensor<9xf32>, f32 -> tensor<10xf32>
  %4 = fuser.pad %x low [-1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<7xf32>
  %5 = fuser.pad %4 low [1] high [0] value %zero : tensor<7xf32>, f32 -> tensor<8xf32>
  %6 = fuser.pad %y low [%n] high [0] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
  %7 = fuser.pad %6 low [1] high [0] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1, %3, %5, %7 : tensor<10xf32>, tensor<10xf32>, tensor<8xf32>, tensor<?xf32>
}

// Does not pass what makes something of 0 (exp, neg: -0, a scalar), what is used elsewhere or is broadcast along the pad;
// does not move where no pad is above.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: %[[EXP:.*]] = fuser.exp
// CHECK-NEXT: fuser.pad %[[EXP]]
// CHECK: %[[NEG:.*]] = fuser.neg
// CHECK-NEXT: fuser.pad %[[NEG]]
// CHECK: %[[ADD:.*]] = fuser.add
// CHECK-NEXT: fuser.pad %[[ADD]]
// CHECK: %[[RELU:.*]] = fuser.relu
// CHECK-NEXT: fuser.pad %[[RELU]]
// CHECK: %[[MUL:.*]] = fuser.mul
// CHECK-NEXT: fuser.pad %[[MUL]]
// CHECK: %[[ABS:.*]] = fuser.abs
// CHECK-NEXT: fuser.pad %[[ABS]]
fuser.fusion @stays(%x: tensor<8xf32>, %s: f32, %y: tensor<1xf32>)
    -> (tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<9xf32>, tensor<10xf32>, tensor<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %1 = fuser.exp %0 : tensor<9xf32>
  %2 = fuser.pad %1 low [1] high [0] value %zero : tensor<9xf32>, f32 -> tensor<10xf32>
  %3 = fuser.pad %x low [0] high [1] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %4 = fuser.neg %3 : tensor<9xf32>
  %5 = fuser.pad %4 low [1] high [0] value %zero : tensor<9xf32>, f32 -> tensor<10xf32>
  %6 = fuser.pad %x low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %7 = fuser.add %6, %s : (tensor<9xf32>, f32) -> tensor<9xf32>
  %8 = fuser.pad %7 low [1] high [0] value %zero : tensor<9xf32>, f32 -> tensor<10xf32>
  %9 = fuser.pad %x low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %10 = fuser.relu %9 : tensor<9xf32>
  %11 = fuser.pad %10 low [1] high [0] value %zero : tensor<9xf32>, f32 -> tensor<10xf32>
  %12 = fuser.pad %x low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  %13 = fuser.mul %12, %y : (tensor<9xf32>, tensor<1xf32>) -> tensor<9xf32>
  %14 = fuser.pad %13 low [1] high [0] value %zero : tensor<9xf32>, f32 -> tensor<10xf32>
  %15 = fuser.abs %x : tensor<8xf32>
  %16 = fuser.pad %15 low [1] high [0] value %zero : tensor<8xf32>, f32 -> tensor<9xf32>
  fuser.return %2, %5, %8, %11, %10, %14, %16 : tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<9xf32>, tensor<10xf32>, tensor<9xf32>
}

// A join with constants is a pad, which merges with others.
// CHECK-LABEL: fuser.fusion @joined
// CHECK-NOT: fuser.cat
// CHECK: fuser.pad %{{.*}} low [0, 4] high [0, 1] value %{{.*}} : tensor<4x6xbf16>, f64 -> tensor<4x11xbf16>
// CHECK-NEXT: fuser.return
fuser.fusion @joined(%x: tensor<4x6xf32>) -> tensor<4x11xbf16> {
  %v = arith.constant 1.5 : f64
  %0 = fuser.full %v : f64 -> tensor<4x3xbf16>
  %1 = fuser.full %v : f64 -> tensor<4x1xbf16>
  %2 = fuser.cast %x : tensor<4x6xf32> to tensor<4x6xbf16>
  %3 = fuser.cat %0, %1, %2, %1 dim 1 : (tensor<4x3xbf16>, tensor<4x1xbf16>, tensor<4x6xbf16>, tensor<4x1xbf16>) -> tensor<4x11xbf16>
  fuser.return %3 : tensor<4x11xbf16>
}

// Not if it joins several tensors, or constants that differ.
// CHECK-LABEL: fuser.fusion @joins
// CHECK-COUNT-2: fuser.cat
fuser.fusion @joins(%x: tensor<4x6xf32>) -> (tensor<4x13xf32>, tensor<4x8xf32>) {
  %v = arith.constant 1.5 : f64
  %w = arith.constant 2.5 : f64
  %0 = fuser.full %v : f64 -> tensor<4x1xf32>
  %1 = fuser.full %w : f64 -> tensor<4x1xf32>
  %2 = fuser.exp %x : tensor<4x6xf32>
  %3 = fuser.cat %0, %x, %2 dim 1 : (tensor<4x1xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x13xf32>
  %4 = fuser.cat %0, %x, %1 dim 1 : (tensor<4x1xf32>, tensor<4x6xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  fuser.return %3, %4 : tensor<4x13xf32>, tensor<4x8xf32>
}
