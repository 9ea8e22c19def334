// RUN: fuser-run %s --device=host --check --program=biased --sizes=3x1,5x1,5 | FileCheck %s
// RUN: not fuser-run %s --device=host --program=biased --sizes=3x0,5x0,5 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: fuser-run %s --device=host --check --program=plain --sizes=3x0,5x0 | FileCheck %s
// A product over no elements is 0; with a bias, a call needs an element, as no iteration would read the bias.

// CHECK: check {{.*}} ok
// EMPTY: expected 1 <= x.size[1] (box of 'fuser.linear'), but got 1 and 0
fuser.fusion @biased(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.linear %x, %w bias %b : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @plain(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.linear %x, %w : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
