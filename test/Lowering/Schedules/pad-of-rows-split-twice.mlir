// RUN: fuser-run %s --device=host --check --program=powers | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=others | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sizes --sizes=210 --scalar=low=5 | FileCheck %s
// RUN: fuser-run %s --program=powers --no-run --dump-after=accessed | FileCheck %s --check-prefix=ACCESSED
// RUN: fuser-run %s --program=powers --no-run --dump-after=lowering | FileCheck %s --check-prefix=POWERS
// RUN: fuser-run %s --program=others --no-run --dump-after=lowering | FileCheck %s --check-prefix=OTHERS
// The loops of a pad are split by a multiple of what its operand is split by: of the operand's index, 96 * i + j - 2,
// the quotient by 8 is 12 * i + (j - 2) floordiv 8, whose dividend is below 0 where the index is not.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// ACCESSED: fuser.pad(%{{.*}}{(%[[I:.*]] * 12 + (%[[J:.*]] - 2) floordiv 8) * 96 + (%[[J]] - 2) mod 8}
// POWERS: arith.shrsi %[[D:.*]], %c3 : index
// POWERS: arith.andi %[[D]], %c7 : index
fuser.fusion @powers(%x: tensor<200xf32>) -> tensor<202xf32> {
  %cst = arith.constant 1.5 : f32
  %0 = fuser.tanh %x {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i2, 96) -> (i3, i4), loop = [i1, i3, i4]>], memory = #fuser.memory<shared>} : tensor<200xf32>
  %1 = fuser.pad %0 low [2] high [0] value %cst {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), loop = [i1, i2]>], memory = #fuser.memory<global>} : tensor<200xf32>, f32 -> tensor<202xf32>
  fuser.return %1 : tensor<202xf32>
}

// Rounded down, which the division of signed numbers is not: -2 divided by 6 is -1.
// OTHERS: %[[LOWERED:.*]] = arith.subi %{{.*}}, %c7 : index
// OTHERS: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[D:.*]], %c0 : index
// OTHERS: %[[DIVIDEND:.*]] = arith.select %[[NEGATIVE]], %[[LOWERED]], %[[D]] : index
// OTHERS: %[[QUOTIENT:.*]] = arith.divsi %[[DIVIDEND]], %c6 : index
// OTHERS: %[[MULTIPLE:.*]] = arith.muli %[[QUOTIENT]], %c6 overflow<nsw> : index
// OTHERS: arith.subi %[[D]], %[[MULTIPLE]] : index
fuser.fusion @others(%x: tensor<200xf32>) -> tensor<202xf32> {
  %cst = arith.constant 1.5 : f32
  %0 = fuser.tanh %x {domains = [#fuser.domain<logical = [i0], split(i0, 6) -> (i1, i2), split(i2, 96) -> (i3, i4), loop = [i1, i3, i4]>], memory = #fuser.memory<shared>} : tensor<200xf32>
  %1 = fuser.pad %0 low [2] high [0] value %cst {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), loop = [i1, i2]>], memory = #fuser.memory<global>} : tensor<200xf32>, f32 -> tensor<202xf32>
  fuser.return %1 : tensor<202xf32>
}

// An amount of the call: how far below 0 is not known.
fuser.fusion @sizes(%x: tensor<?xf32>, %low: index) -> tensor<?xf32> {
  %cst = arith.constant 1.5 : f32
  %0 = fuser.tanh %x {domains = [#fuser.domain<logical = [i0], split(i0, 6) -> (i1, i2), split(i2, 96) -> (i3, i4), loop = [i1, i3, i4]>], memory = #fuser.memory<global>} : tensor<?xf32>
  %1 = fuser.pad %0 low [%low] high [0] value %cst {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), loop = [i1, i2]>], memory = #fuser.memory<global>} : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
