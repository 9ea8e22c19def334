// RUN: fuser-opt %s --fuser-remove-empty > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-remove-empty | diff %t.after.mlir -
// RUN: fuser-run %s --program=reductions --device=reference --sizes=5x0 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=reductions --device=reference --sizes=5x0 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: fuser-run %s --program=contraction --device=host --sizes=4x0,0x5 --check
// RUN: fuser-run %t.after.mlir --program=contraction --device=host --sizes=4x0,0x5 --check
// RUN: fuser-run %s --program=operands --device=reference --sizes=3x4,0x4,5x0 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=operands --device=reference --sizes=3x4,0x4,5x0 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: cmp %t.before.2.npy %t.after.2.npy
// What has no elements costs nothing, and what is made of no elements is a constant.

// Reductions of nothing are what their combiner makes of nothing.
// CHECK-LABEL: fuser.fusion @reductions
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x0xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[SUM:.*]] = fuser.full %{{.*}} sizes(%[[N]]) : f32 -> tensor<?xf32>
// CHECK-NOT: fuser.sum
// CHECK-NOT: fuser.max
fuser.fusion @reductions(%x: tensor<?x0xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x0xf32> -> tensor<?xf32>
  %1 = fuser.max %x dims [1] : tensor<?x0xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// A contraction of nothing is 0.
// CHECK-LABEL: fuser.fusion @contraction
// CHECK: fuser.full %{{.*}} : f32 -> tensor<4x5xf32>
// CHECK-NOT: fuser.matmul
fuser.fusion @contraction(%a: tensor<4x0xf32>, %b: tensor<0x5xf32>) -> tensor<4x5xf32> {
  %0 = fuser.matmul %a, %b : tensor<4x0xf32>, tensor<0x5xf32> -> tensor<4x5xf32>
  fuser.return %0 : tensor<4x5xf32>
}

// A chain of empty results needs no op of the chain.
// CHECK-LABEL: fuser.fusion @chain
// CHECK-NOT: fuser.exp
// CHECK-NOT: fuser.neg
// CHECK: %[[Z:.*]] = fuser.full %{{.*}} sizes(%{{.*}}) : f32 -> tensor<0x?xf32>
// CHECK: fuser.return %[[Z]]
fuser.fusion @chain(%x: tensor<0x?xf32>) -> tensor<0x?xf32> {
  %0 = fuser.exp %x : tensor<0x?xf32>
  %1 = fuser.neg %0 : tensor<0x?xf32>
  fuser.return %1 : tensor<0x?xf32>
}

// Empty operands of a join, padding of an empty tensor, insertion of nothing.
// CHECK-LABEL: fuser.fusion @operands
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x4xf32>, %[[E:[a-z0-9]+]]: tensor<0x4xf32>, %[[F:[a-z0-9]+]]: tensor<?x0xf32>)
// CHECK-DAG: %[[CAT:.*]] = fuser.cat %[[X]], %[[X]] dim 0
// CHECK-DAG: %[[PAD:.*]] = fuser.full %cst sizes(%{{.*}}) : f32 -> tensor<?x2xf32>
// CHECK: fuser.return %[[CAT]], %[[PAD]], %[[X]]
fuser.fusion @operands(%x: tensor<3x4xf32>, %e: tensor<0x4xf32>, %f: tensor<?x0xf32>)
    -> (tensor<6x4xf32>, tensor<?x2xf32>, tensor<3x4xf32>) {
  %v = arith.constant 1.5 : f32
  %0 = fuser.cat %x, %e, %x, %e dim 0 : (tensor<3x4xf32>, tensor<0x4xf32>, tensor<3x4xf32>, tensor<0x4xf32>) -> tensor<6x4xf32>
  %1 = fuser.pad %f low [0, 1] high [0, 1] value %v : tensor<?x0xf32>, f32 -> tensor<?x2xf32>
  %2 = fuser.insert_slice %e into %x [1, 0] : tensor<0x4xf32> into tensor<3x4xf32>
  fuser.return %0, %1, %2 : tensor<6x4xf32>, tensor<?x2xf32>, tensor<3x4xf32>
}

// Ops that move nothing.
// CHECK-LABEL: fuser.fusion @moves
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x4xf32>)
// CHECK: %[[PAD:.*]] = fuser.pad %[[X]] low [0, 0] high [0, 1]
// CHECK-NOT: fuser.pad
// CHECK: %[[PERMUTE:.*]] = fuser.permute %[[X]] [1, 0]
// CHECK-NOT: fuser.permute
// CHECK: fuser.return %[[X]], %[[X]], %[[PAD]], %[[PERMUTE]]
fuser.fusion @moves(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x5xf32>, tensor<4x?xf32>) {
  %v = arith.constant 1.5 : f32
  %0 = fuser.pad %x low [0, 0] high [0, 0] value %v : tensor<?x4xf32>, f32 -> tensor<?x4xf32>
  %1 = fuser.pad %0 low [0, 0] high [0, 1] value %v : tensor<?x4xf32>, f32 -> tensor<?x5xf32>
  %2 = fuser.permute %0 [0, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
  %3 = fuser.permute %2 [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  fuser.return %0, %2, %1, %3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x5xf32>, tensor<4x?xf32>
}

// An insertion of all elements is what it inserts, also where sizes are only known to be equal.
// CHECK-LABEL: fuser.fusion @whole_insertions
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x4xf32>, %[[Y:[a-z0-9]+]]: tensor<?x4xf32>)
// CHECK-NOT: fuser.insert_slice
// CHECK: fuser.return %[[X]], %[[Y]]
fuser.fusion @whole_insertions(%x: tensor<3x4xf32>, %y: tensor<?x4xf32>) -> (tensor<3x4xf32>, tensor<?x4xf32>) {
  %v = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x4xf32>
  %0 = fuser.full %v : f32 -> tensor<3x4xf32>
  %1 = fuser.insert_slice %x into %0 [0, 0] : tensor<3x4xf32> into tensor<3x4xf32>
  %2 = fuser.full %v sizes(%n) : f32 -> tensor<?x4xf32>
  %3 = fuser.insert_slice %y into %2 [0, 0] : tensor<?x4xf32> into tensor<?x4xf32>
  fuser.return %1, %3 : tensor<3x4xf32>, tensor<?x4xf32>
}

// Not where fewer rows may be inserted, or where an argument is overwritten.
// CHECK-LABEL: fuser.fusion @part_insertions
// CHECK-COUNT-2: fuser.insert_slice
fuser.fusion @part_insertions(%x: tensor<3x4xf32>, %y: tensor<?x4xf32>, %n: index, %z: tensor<3x4xf32>) -> (tensor<?x4xf32>, tensor<3x4xf32>) {
  %v = arith.constant 0.0 : f32
  %0 = fuser.full %v sizes(%n) : f32 -> tensor<?x4xf32>
  %1 = fuser.insert_slice %y into %0 [0, 0] : tensor<?x4xf32> into tensor<?x4xf32>
  %2 = fuser.insert_slice %x into %z [0, 0] : tensor<3x4xf32> into tensor<3x4xf32>
  fuser.return %1, %2 : tensor<?x4xf32>, tensor<3x4xf32>
}

// What moves nothing but has a type of its own stays: who reads it expects that one.
// CHECK-LABEL: fuser.fusion @other_type
// CHECK: %[[EMPTY:.*]] = fuser.full {{.*}}tensor<0xf32>
// CHECK: %[[PERMUTE:.*]] = fuser.permute %[[EMPTY]] [0] : tensor<0xf32> -> tensor<?xf32>
// CHECK: fuser.return %[[PERMUTE]]
fuser.fusion @other_type(%x: tensor<0xf32>) -> tensor<?xf32> {
  %0 = fuser.abs %x : tensor<0xf32>
  %1 = fuser.permute %0 [0] : tensor<0xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Does nothing where only run time knows, to boundaries that the program asks for, and to what carries a schedule.
// CHECK-LABEL: fuser.fusion @other
// CHECK: fuser.sum
// CHECK: fuser.segment_set
// CHECK: fuser.neg
// CHECK-NOT: fuser.full
fuser.fusion @other(%x: tensor<?x?xf32>, %e: tensor<0xf32>) -> (tensor<?xf32>, tensor<0xf32>, tensor<0xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.segment_set %e : tensor<0xf32>
  %2 = fuser.neg %e {memory = #fuser.memory<shared>} : tensor<0xf32>
  fuser.return %0, %1, %2 : tensor<?xf32>, tensor<0xf32>, tensor<0xf32>
}


// The destination took the place of sums of nothing: its sizes are those of the sums.
// CHECK-LABEL: fuser.fusion @inserted_into_sums_of_nothing
// CHECK: %[[ZEROS:.*]] = fuser.full
// CHECK: %[[LEAST:.*]] = fuser.minimum %[[ZEROS]], %[[ZEROS]]
// CHECK-NOT: fuser.insert_slice
// CHECK: fuser.return %[[LEAST]]
fuser.fusion @inserted_into_sums_of_nothing(%x: tensor<8x?x0xf32>) -> tensor<8x?xf32> {
  %0 = fuser.sum %x dims [2] : tensor<8x?x0xf32> -> tensor<8x?xf32>
  %1 = fuser.minimum %0, %0 : tensor<8x?xf32>
  %2 = fuser.insert_slice %1 into %0 [0, 0] : tensor<8x?xf32> into tensor<8x?xf32>
  fuser.return %2 : tensor<8x?xf32>
}
