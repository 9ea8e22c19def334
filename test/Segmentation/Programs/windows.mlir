// RUN: fuser-explain %s --program=transposed_and_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=transposed_and_pad --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=transposed_and_pad --sizes=9x64 --scalar a=-1 --scalar b=2 --scalar c=3 --scalar d=-4 --scalar v=1 | FileCheck %s
// RUN: fuser-explain %s --program=ordered | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=ordered --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=ordered --sizes=9x64 --scalar a=-1 --scalar b=2 --scalar c=3 --scalar d=-4 --scalar v=1 | FileCheck %s
// RUN: fuser-explain %s --program=outer | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=outer --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=outer --sizes=9x64 --scalar a=-1 --scalar b=2 --scalar c=3 --scalar d=-4 --scalar v=1 | FileCheck %s
// RUN: fuser-explain %s --program=both | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=both --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=both --sizes=9x64 --scalar a=-1 --scalar b=2 --scalar c=3 --scalar d=-4 --scalar v=1 | FileCheck %s
// RUN: fuser-explain %s --program=bools | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=bools --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=bools --sizes=9x64 --scalar a=-1 --scalar b=2 --scalar c=3 --scalar d=-4 --scalar v=1 | FileCheck %s
// RUN: fuser-explain %s --program=insert | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=insert --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert --sizes=9x64 --scalar a=0 --scalar b=2 --scalar c=5 --scalar d=60 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_one_op --scalar o=4 --scalar n=5 2>&1 | FileCheck %s --implicit-check-not=WRONG
// RUN: fuser-run %s --device=host --check --program=of_one_op --scalar o=0 --scalar n=3 2>&1 | FileCheck %s --implicit-check-not=WRONG
// S2.1, S2.3: windows of what other schedulers compute, of other element types and orders, in other joins.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: 1 kernel,

// A transposition, stored whole as well.
fuser.fusion @transposed_and_pad(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.pad %1 low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Of 16-bit elements, in another order than the loops.
fuser.fusion @ordered(%x: tensor<?x?xbf16>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xbf16> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  %3 = fuser.pad %2 low [%a, %c] high [%b, %d] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  fuser.return %3 : tensor<?x?xbf16>
}

// A norm of columns.
fuser.fusion @outer(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.pad %2 low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// Beside a reduction across the rows.
fuser.fusion @both(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.pad %2 low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %4 = fuser.sum %2 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %3, %4 : tensor<?x?xf32>, tensor<?xf32>
}

fuser.fusion @bools(%x: tensor<?x?xi1>, %a: index, %b: index, %c: index, %d: index, %v: i1) -> (tensor<?xi1>) {
  %0 = fuser.any %x dims [1] : tensor<?x?xi1> -> tensor<?xi1>
  %3 = fuser.pad %0 low [%a] high [%b] value %v : tensor<?xi1>, i1 -> tensor<?xi1>
  fuser.return %3 : tensor<?xi1>
}

// A part of a norm in a fill.
fuser.fusion @insert(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<30x80xf32> {
  %f = fuser.full %v : f32 -> tensor<30x80xf32>
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.slice %2 [%a, %b] [%c, %d] : tensor<?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.insert_slice %3 into %f [%a, 3] : tensor<?x?xf32> into tensor<30x80xf32>
  fuser.return %4 : tensor<30x80xf32>
}

// What only 'single_op' takes.
fuser.fusion @of_one_op(%x: tensor<1xf32>, %o: index, %n: index) -> tensor<?xf32> {
  %v = arith.constant 1.5 : f32
  %0 = fuser.cumsum %x dim 0 : tensor<1xf32> -> tensor<1xf32>
  %1 = fuser.pad %0 low [8] high [0] value %v : tensor<1xf32>, f32 -> tensor<9xf32>
  %2 = fuser.slice %1 [%o] [%n] : tensor<9xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
