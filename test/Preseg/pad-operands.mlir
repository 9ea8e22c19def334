// RUN: fuser-opt %s --fuser-pad-operands > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-pad-operands | diff %t.after.mlir -
// RUN: fuser-run %s --program=dynamic --device=host --check --sizes=7x9,1x9 --scalar l=3 --scalar h=2 --scalar v=1.5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=dynamic --device=host --check --sizes=7x9,1x9 --scalar l=-3 --scalar h=-2 --scalar v=1.5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=dynamic --device=host --check --sizes=0x9,1x9 --scalar l=1 --scalar h=0 --scalar v=1.5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=dynamic --device=host --check --sizes=7x1,1x1 --scalar l=1 --scalar h=0 --scalar v=1.5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=dynamic --device=host --check --sizes=7x0,1x0 --scalar l=1 --scalar h=5 --scalar v=1.5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=inserted --device=host --check --sizes=100 --scalar o=3 --scalar m=333 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=inserted --device=host --check --sizes=100 --scalar o=0 --scalar m=100 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=sizes_twice --device=host --check --sizes=8x8x7 --scalar o=2 --scalar m=12 | FileCheck %s --check-prefix=ONE
// S2.1, S2.6: what is computed is padded by dynamic amounts in the kernel that computes it: its operands are padded, and
// what lies outside becomes the border.

// ONE: kernels {{ *}}{{dynamic|inserted|sizes_twice}}{{(_0)?}}: grid
// ONE-NOT: _1: grid
// ONE: check {{.*}} ok
// ONE-NOT: WRONG

// A broadcast dimension is read at 0 as before, what follows the pad stays as it is.
// CHECK-LABEL: fuser.fusion @dynamic
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[Y:[a-z0-9]+]]: tensor<1x?xf32>, %[[L:[a-z0-9]+]]: index, %[[H:[a-z0-9]+]]: index
// CHECK-DAG: %[[PX:.*]] = fuser.pad %[[X]] low [0, %[[L]]] high [0, %[[H]]]
// CHECK-DAG: %[[PY:.*]] = fuser.pad %[[Y]] low [0, %[[L]]] high [0, %[[H]]] {{.*}} -> tensor<1x?xf32>
// CHECK: %[[S:.*]] = fuser.add %[[PX]], %[[PY]]
// CHECK: %[[E:.*]] = fuser.exp %[[S]]
// CHECK: %[[I:.*]] = fuser.iota
// CHECK: %[[IN:.*]] = fuser.logical_and
// CHECK: %[[W:.*]] = fuser.where %[[IN]], %[[E]], %
// CHECK: fuser.neg %[[W]]
fuser.fusion @dynamic(%x: tensor<?x?xf32>, %y: tensor<1x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %y : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.pad %1 low [0, %l] high [0, %h] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %3 = fuser.neg %2 : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// The other spelling; the size of the border is what the fill leaves.
// CHECK-LABEL: fuser.fusion @inserted
// CHECK: %[[IN:.*]] = fuser.insert_slice %x into %{{.*}} [%o]
// CHECK: fuser.exp %[[IN]]
// CHECK: fuser.where
fuser.fusion @inserted(%x: tensor<?xf32>, %o: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.5 : f32
  %0 = fuser.exp %x : tensor<?xf32>
  %f = fuser.full %z sizes(%m) : f32 -> tensor<?xf32>
  %1 = fuser.insert_slice %0 into %f [%o] : tensor<?xf32> into tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// A size that the fill names twice, and that nothing else needs.
// CHECK-LABEL: fuser.fusion @sizes_twice
// CHECK: fuser.insert_slice %x into
// CHECK-NOT: fuser.insert_slice
// CHECK: fuser.return
fuser.fusion @sizes_twice(%x: tensor<8x8x?xf32>, %o: index, %m: index) -> tensor<?x?x?xf32> {
  %z = arith.constant 0.5 : f32
  %c8 = arith.constant 8 : index
  %0 = fuser.exp %x : tensor<8x8x?xf32>
  %f = fuser.full %z sizes(%c8, %c8, %m) : f32 -> tensor<?x?x?xf32>
  %1 = fuser.insert_slice %0 into %f [0, 0, %o] : tensor<8x8x?xf32> into tensor<?x?x?xf32>
  fuser.return %1 : tensor<?x?x?xf32>
}

// Does nothing at constant places, to what is read and not computed, and where another op needs what is padded.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: %[[E:.*]] = fuser.exp
// CHECK: fuser.pad %[[E]] low [1] high [2]
// CHECK: fuser.pad %x low [%l] high [0]
// CHECK: %[[F:.*]] = fuser.exp
// CHECK: fuser.pad %[[F]] low [%l] high [0]
fuser.fusion @stays(%x: tensor<?xf32>, %l: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %z = arith.constant 0.5 : f32
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.pad %0 low [1] high [2] value %z : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.pad %x low [%l] high [0] value %z : tensor<?xf32>, f32 -> tensor<?xf32>
  %3 = fuser.exp %x : tensor<?xf32>
  %4 = fuser.pad %3 low [%l] high [0] value %z : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1, %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// An insertion into the result of an insertion into a fill: a select between the inserted elements and that result.
// CHECK-LABEL: fuser.fusion @second_insert
// CHECK: %[[FIRST:.*]] = fuser.where
// CHECK: %[[PADDED:.*]] = fuser.insert_slice %b into
// CHECK: %[[NEG:.*]] = fuser.neg %[[PADDED]]
// CHECK: %[[SECOND:.*]] = fuser.where %{{.*}}, %[[NEG]], %[[FIRST]]
// CHECK-NOT: fuser.insert_slice
// CHECK: fuser.return %[[SECOND]]
fuser.fusion @second_insert(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %o: index) -> tensor<?xf32> {
  %v = arith.constant 2.0 : f32
  %f = fuser.full %v sizes(%n) : f32 -> tensor<?xf32>
  %0 = fuser.exp %a : tensor<?xf32>
  %1 = fuser.neg %b : tensor<?xf32>
  %2 = fuser.insert_slice %0 into %f [1] : tensor<?xf32> into tensor<?xf32>
  %3 = fuser.insert_slice %1 into %2 [%o] : tensor<?xf32> into tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// An insertion into a value that stays live: a select between the inserted elements and that value, so that one kernel stores
// both.
// CHECK-LABEL: fuser.fusion @live
// CHECK: %[[E:.*]] = fuser.exp %x
// CHECK: %[[IN:.*]] = fuser.insert_slice %y into %{{.*}} [%o, 2]
// CHECK: %[[NEG:.*]] = fuser.neg %[[IN]]
// CHECK: %[[ALL:.*]] = fuser.where %{{.*}}, %[[NEG]], %[[E]]
// CHECK: fuser.return %[[E]], %[[ALL]]
fuser.fusion @live(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %o: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.neg %y : tensor<?x?xf32>
  %2 = fuser.insert_slice %1 into %0 [%o, 2] : tensor<?x?xf32> into tensor<?x?xf32>
  fuser.return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// What is computed from a reduction is stored in its box by the kernel of the reduction.
// CHECK-LABEL: fuser.fusion @insert_of_sum
// CHECK-NOT: fuser.where
// CHECK: fuser.insert_slice
fuser.fusion @insert_of_sum(%a: tensor<?x?xf32>, %n: index, %o: index) -> tensor<?xf32> {
  %v = arith.constant 2.0 : f32
  %f = fuser.full %v sizes(%n) : f32 -> tensor<?xf32>
  %0 = fuser.sum %a dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.relu %0 : tensor<?xf32>
  %2 = fuser.insert_slice %1 into %f [%o] : tensor<?xf32> into tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
