// RUN: fuser-explain %s --program=rows | FileCheck %s --check-prefix=ROWS
// RUN: fuser-explain %s --program=rows_of_sum | FileCheck %s --check-prefix=ROWS
// RUN: fuser-explain %s --program=sizes_of_another | FileCheck %s --check-prefix=OTHER
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x33 --scalar o=2 --scalar n=5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x33 --scalar o=0 --scalar n=9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x33 --scalar o=9 --scalar n=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x1 --scalar o=8 --scalar n=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows_of_sum --sizes=5x9x17 --scalar o=3 --scalar n=4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sizes_of_another --sizes=9x33,9x33 --scalar o=1 --scalar n=7 | FileCheck %s
// RUN: not fuser-run %s --device=host --check --program=rows --sizes=9x33 --scalar o=2 --scalar n=8 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not fuser-run %s --device=host --check --program=rows --sizes=9x33 --scalar o=2 --scalar n=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// S2.4, S2.6: a crop of the rows of a norm at run time computes the rows that are read. That the slice has all of each row is
// known although their length is not.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// LONG: box of 'fuser.slice'{{.*}} but got 8 and 7
// NEGATIVE: box of 'fuser.slice'{{.*}} but got 0 and -1

// ROWS: 1 kernel,
// ROWS: launches
// ROWS-NEXT: _0 ins(%x[{{.*}}?:+?, 0:+?{{.*}}])
fuser.fusion @rows(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %7 = fuser.slice %6 [%o, 0] [%n, %m] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}

// The middle one of three dimensions; the size of the first one is that of the result of an op.
fuser.fusion @rows_of_sum(%x: tensor<?x?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %0 = fuser.exp %x : tensor<?x?x?xf32>
  %1 = fuser.sum %0 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %m = tensor.dim %1, %c0 : tensor<?x?xf32>
  %2 = fuser.slice %1 [0, %o] [%m, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// The length of a row is stated as that of another argument, which an op requires to be equal. Each argument is read in its
// own box.
// OTHER: 1 kernel,
// OTHER: launches
// OTHER-NEXT: _0 ins(%x[?:+?, 0:+?], %y[?:+?, 0:+?])
fuser.fusion @sizes_of_another(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %s = fuser.add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = fuser.max %s dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %s, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m = tensor.dim %y, %c1 : tensor<?x?xf32>
  %3 = fuser.slice %2 [%o, 0] [%n, %m] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
