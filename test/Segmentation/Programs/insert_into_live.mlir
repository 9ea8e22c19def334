// RUN: fuser-explain %s --program=live | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=not_live | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=constant_offset | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=live --sizes=9x9,5x5 --scalar o=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=live --sizes=9x9,9x7 --scalar o=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=live --sizes=9x9,0x5 --scalar o=9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=live --sizes=33x65,1x1 --scalar o=32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=not_live --sizes=9x9x16,5x5x16,16 --scalar o=3 --scalar p=4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=constant_offset --sizes=9x12,5x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=fill --sizes=5 --scalar o=4 --scalar n=9 | FileCheck %s
// RUN: not fuser-run %s --device=host --program=live --sizes=9x9,5x5 --scalar o=6 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not fuser-run %s --device=host --program=live --sizes=9x9,5x5 --scalar o=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fuser-run %s --device=host --program=fill --sizes=5 --scalar o=6 --scalar n=9 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not fuser-run %s --device=host --program=fill --sizes=5 --scalar o=-1 --scalar n=9 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// S2.2: an insertion at a place that is known only at run time into a computed value, which may stay live: one kernel.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: 1 kernel,
// LONG: box of 'fuser.insert_slice'{{.*}} but got 5 and 3
// NEGATIVE: box of 'fuser.insert_slice'{{.*}} but got 0 and -1

fuser.fusion @live(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %o: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.neg %y : tensor<?x?xf32>
  %2 = fuser.insert_slice %1 into %0 [%o, 2] : tensor<?x?xf32> into tensor<?x?xf32>
  fuser.return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Two offsets, and an operand that is broadcast along the dimensions of both.
fuser.fusion @not_live(%x: tensor<?x?x16xbf16>, %y: tensor<?x?x16xbf16>, %w: tensor<16xbf16>, %o: index, %p: index) -> tensor<?x?x16xbf16> {
  %0 = fuser.exp %x : tensor<?x?x16xbf16>
  %b = fuser.broadcast %w dims [0, 1] : tensor<16xbf16> -> tensor<1x1x16xbf16>
  %1 = fuser.mul %y, %b : (tensor<?x?x16xbf16>, tensor<1x1x16xbf16>) -> tensor<?x?x16xbf16>
  %2 = fuser.insert_slice %1 into %0 [%o, %p, 0] : tensor<?x?x16xbf16> into tensor<?x?x16xbf16>
  %3 = fuser.relu %2 : tensor<?x?x16xbf16>
  fuser.return %3 : tensor<?x?x16xbf16>
}

fuser.fusion @constant_offset(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.neg %y : tensor<?x?xf32>
  %2 = fuser.insert_slice %1 into %0 [4, 7] : tensor<?x?xf32> into tensor<?x?xf32>
  fuser.return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @fill(%y: tensor<?xf32>, %o: index, %n: index) -> tensor<?xf32> {
  %z = arith.constant 1.5 : f32
  %0 = fuser.full %z sizes(%n) : f32 -> tensor<?xf32>
  %1 = fuser.neg %y : tensor<?xf32>
  %2 = fuser.insert_slice %1 into %0 [%o] : tensor<?xf32> into tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
