// RUN: fuser-explain %s --program=sum | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=max | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=softmax | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=layer_norm | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=cumsum | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=cumsum_out | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=transposed | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=into_softmax | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=into_transposed | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=into_cumsum | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=softmax_into_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=scan_into_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax_before | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=cumsum_before | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=two | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=three | FileCheck %s --check-prefix=FOUR
// RUN: fuser-explain %s --program=two_into_argument | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=two_into_softmax | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=two_that_overlap | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=dynamic | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=two_dynamic | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=dynamic_into_argument | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=caches | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=rank5 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=complex | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=f8 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=i1 | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=no_elements | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=sum | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=max | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=softmax | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=layer_norm | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cumsum | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cumsum_out | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=transposed | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_softmax | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_transposed | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=into_cumsum | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=softmax_into_argument | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=scan_into_argument | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=softmax_before | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=cumsum_before | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=three | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_into_argument | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_into_softmax | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_that_overlap | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=20x40,5x30x7 --scalar o=3 --scalar p=10 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=20x40,5x30x7 --scalar o=15 --scalar p=0 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_dynamic --sizes=20x40,5x30x7,5x9 --scalar o=3 --scalar p=10 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=two_dynamic --sizes=20x40,5x30x7,5x3 --scalar o=15 --scalar p=0 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=dynamic_into_argument --sizes=20x40,5x30x7 --scalar o=3 --scalar p=10 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=dynamic_into_argument --sizes=20x40,5x30x7 --scalar o=15 --scalar p=0 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=caches --scalar o=5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=caches --scalar o=61 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=rank5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=complex | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=f8 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=i1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=no_elements | FileCheck %s --implicit-check-not=fallback
// S2.2: what reductions, norms, scans and transpositions insert into a value that stays live: the kernel of the value stores it twice,
// then the others write in place; an argument is copied once.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: fused {{ *}}1 kernel,
// TWO: fused {{ *}}2 kernels,
// THREE: fused {{ *}}3 kernels,
// FOUR: fused {{ *}}4 kernels,

fuser.fusion @sum(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @max(%x: tensor<20x40xf32>, %y: tensor<7x5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.max %y dims [0] : tensor<7x5x30xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @softmax(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %y, %2 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %4 = fuser.exp %3 : tensor<5x30xf32>
  %5 = fuser.sum %4 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %7 = fuser.div %4, %6 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %8 = fuser.insert_slice %7 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %8 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @layer_norm(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = arith.constant 1.0e-5 : f32
  %2, %3 = fuser.var_mean %y dims [1] correction 0 : tensor<5x30xf32> -> tensor<5xf32>, tensor<5xf32>
  %4 = fuser.broadcast %2 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %5 = fuser.broadcast %3 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %6 = fuser.sub %y, %5 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %7 = fuser.add %4, %1 : (tensor<5x1xf32>, f32) -> tensor<5x1xf32>
  %8 = fuser.rsqrt %7 : tensor<5x1xf32>
  %9 = fuser.mul %6, %8 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %10 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @cumsum(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.cumsum %y dim 1 : tensor<5x30xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @cumsum_out(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.cumsum %y dim 0 : tensor<5x30xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @transposed(%x: tensor<20x40xf32>, %y: tensor<30x5xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.permute %y [1, 0] : tensor<30x5xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @into_softmax(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %x dims [1] : tensor<20x40xf32> -> tensor<20xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<20xf32> -> tensor<20x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<20x40xf32>, tensor<20x1xf32>) -> tensor<20x40xf32>
  %3 = fuser.exp %2 : tensor<20x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<20x40xf32> -> tensor<20xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<20xf32> -> tensor<20x1xf32>
  %6 = fuser.div %3, %5 : (tensor<20x40xf32>, tensor<20x1xf32>) -> tensor<20x40xf32>
  %7 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %10 = fuser.exp %9 : tensor<5x30xf32>
  %11 = fuser.sum %10 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %12 = fuser.broadcast %11 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %13 = fuser.div %10, %12 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %14 = fuser.insert_slice %13 into %6 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %6, %14 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @into_transposed(%x: tensor<20x40xf32>, %y: tensor<40x20xf32>, %z: tensor<5x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.permute %y [1, 0] : tensor<40x20xf32> -> tensor<20x40xf32>
  %1 = fuser.sum %z dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @into_cumsum(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.cumsum %x dim 0 : tensor<20x40xf32> -> tensor<20x40xf32>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @softmax_into_argument(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %2 = fuser.sub %y, %1 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %3 = fuser.exp %2 : tensor<5x30xf32>
  %4 = fuser.sum %3 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %6 = fuser.div %3, %5 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %7 = fuser.insert_slice %6 into %x [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %x, %7 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @scan_into_argument(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.cumsum %y dim 1 : tensor<5x30xf32> -> tensor<5x30xf32>
  %1 = fuser.insert_slice %0 into %x [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %x, %1 : tensor<20x40xf32>, tensor<20x40xf32>
}

// What is inserted is computed before the destination.
fuser.fusion @softmax_before(%x: tensor<5x30xf32>, %y: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %x dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %3 = fuser.exp %2 : tensor<5x30xf32>
  %4 = fuser.sum %3 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %6 = fuser.div %3, %5 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %7 = fuser.exp %y : tensor<20x40xf32>
  %8 = fuser.insert_slice %6 into %7 [0, 0] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %7, %8 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @cumsum_before(%x: tensor<5x30xf32>, %y: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.cumsum %x dim 0 : tensor<5x30xf32> -> tensor<5x30xf32>
  %1 = fuser.exp %y : tensor<20x40xf32>
  %2 = fuser.insert_slice %0 into %1 [0, 0] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %1, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @two(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>, %z: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [0, 0] : tensor<5x30xf32> into tensor<20x40xf32>
  %3 = fuser.max %z dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %5 = fuser.sub %z, %4 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %6 = fuser.exp %5 : tensor<5x30xf32>
  %7 = fuser.sum %6 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %9 = fuser.div %6, %8 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %2 [7, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %0, %10 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @three(%x: tensor<20x40xf32>, %y: tensor<30x40xf32>, %z: tensor<5x30x7xf32>, %w: tensor<5x30xf32>, %a4: tensor<5x30xf32>) -> (tensor<30x40xf32>, tensor<30x40xf32>) {
  %0 = fuser.exp %y : tensor<30x40xf32>
  %1 = fuser.sum %z dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %0 [0, 0] : tensor<5x30xf32> into tensor<30x40xf32>
  %3 = fuser.max %w dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %5 = fuser.sub %w, %4 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %6 = fuser.exp %5 : tensor<5x30xf32>
  %7 = fuser.sum %6 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %8 = fuser.broadcast %7 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %9 = fuser.div %6, %8 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %2 [7, 3] : tensor<5x30xf32> into tensor<30x40xf32>
  %11 = fuser.cumsum %a4 dim 1 : tensor<5x30xf32> -> tensor<5x30xf32>
  %12 = fuser.insert_slice %11 into %10 [14, 6] : tensor<5x30xf32> into tensor<30x40xf32>
  fuser.return %0, %12 : tensor<30x40xf32>, tensor<30x40xf32>
}

fuser.fusion @two_into_argument(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>, %z: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.insert_slice %0 into %x [0, 0] : tensor<5x30xf32> into tensor<20x40xf32>
  %2 = fuser.max %z dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %4 = fuser.sub %z, %3 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %5 = fuser.exp %4 : tensor<5x30xf32>
  %6 = fuser.sum %5 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %7 = fuser.broadcast %6 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %8 = fuser.div %5, %7 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %9 = fuser.insert_slice %8 into %1 [7, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %x, %9 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @two_into_softmax(%x: tensor<20x40xf32>, %y: tensor<5x30x7xf32>, %z: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %x dims [1] : tensor<20x40xf32> -> tensor<20xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<20xf32> -> tensor<20x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<20x40xf32>, tensor<20x1xf32>) -> tensor<20x40xf32>
  %3 = fuser.exp %2 : tensor<20x40xf32>
  %4 = fuser.sum %3 dims [1] : tensor<20x40xf32> -> tensor<20xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<20xf32> -> tensor<20x1xf32>
  %6 = fuser.div %3, %5 : (tensor<20x40xf32>, tensor<20x1xf32>) -> tensor<20x40xf32>
  %7 = fuser.sum %y dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %8 = fuser.insert_slice %7 into %6 [0, 0] : tensor<5x30xf32> into tensor<20x40xf32>
  %9 = fuser.cumsum %z dim 1 : tensor<5x30xf32> -> tensor<5x30xf32>
  %10 = fuser.insert_slice %9 into %8 [7, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %6, %10 : tensor<20x40xf32>, tensor<20x40xf32>
}

fuser.fusion @two_that_overlap(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>, %z: tensor<5x30xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %2 = fuser.sub %y, %1 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %3 = fuser.exp %2 : tensor<5x30xf32>
  %4 = fuser.sum %3 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %6 = fuser.div %3, %5 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %7 = fuser.insert_slice %6 into %x [0, 1] : tensor<5x30xf32> into tensor<20x40xf32>
  %8 = fuser.max %z dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %9 = fuser.broadcast %8 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %10 = fuser.sub %z, %9 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %11 = fuser.exp %10 : tensor<5x30xf32>
  %12 = fuser.sum %11 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %13 = fuser.broadcast %12 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %14 = fuser.div %11, %13 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %15 = fuser.insert_slice %14 into %7 [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %x, %15 : tensor<20x40xf32>, tensor<20x40xf32>
}

// At offsets of the call.
fuser.fusion @dynamic(%x: tensor<?x?xf32>, %y: tensor<?x?x?xf32>, %o: index, %p: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %y dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.insert_slice %1 into %0 [%o, %p] : tensor<?x?xf32> into tensor<?x?xf32>
  fuser.return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @two_dynamic(%x: tensor<?x?xf32>, %y: tensor<?x?x?xf32>, %z: tensor<?x?xf32>, %o: index, %p: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.max %z dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %z, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.div %4, %6 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %8 = fuser.sum %y dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %9 = fuser.insert_slice %8 into %0 [%o, %p] : tensor<?x?xf32> into tensor<?x?xf32>
  %10 = fuser.insert_slice %7 into %9 [%p, %o] : tensor<?x?xf32> into tensor<?x?xf32>
  fuser.return %0, %10 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @dynamic_into_argument(%x: tensor<?x?xf32>, %y: tensor<?x?x?xf32>, %o: index, %p: index) -> tensor<?x?xf32> {
  %0 = fuser.sum %y dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.insert_slice %0 into %x [%o, %p] : tensor<?x?xf32> into tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// In place.
fuser.fusion @caches(%x: tensor<4x64x16xf32>, %y: tensor<4x64x16xf32>, %o: index, %w: tensor<4x3x16xf32>, %a4: tensor<4x3x16xf32>) -> (tensor<4x64x16xf32>, tensor<4x64x16xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>, #fuser.alias<output 1, input 1>]} {
  %0 = arith.constant 1.0e-5 : f32
  %1 = fuser.mul %w, %w : (tensor<4x3x16xf32>, tensor<4x3x16xf32>) -> tensor<4x3x16xf32>
  %2 = fuser.mean %1 dims [2] : tensor<4x3x16xf32> -> tensor<4x3xf32>
  %3 = fuser.broadcast %2 dims [2] : tensor<4x3xf32> -> tensor<4x3x1xf32>
  %4 = fuser.add %3, %0 : (tensor<4x3x1xf32>, f32) -> tensor<4x3x1xf32>
  %5 = fuser.rsqrt %4 : tensor<4x3x1xf32>
  %6 = fuser.mul %w, %5 : (tensor<4x3x16xf32>, tensor<4x3x1xf32>) -> tensor<4x3x16xf32>
  %7 = fuser.insert_slice %6 into %x [0, %o, 0] : tensor<4x3x16xf32> into tensor<4x64x16xf32>
  %8 = arith.constant 1.0e-5 : f32
  %9 = fuser.mul %a4, %a4 : (tensor<4x3x16xf32>, tensor<4x3x16xf32>) -> tensor<4x3x16xf32>
  %10 = fuser.mean %9 dims [2] : tensor<4x3x16xf32> -> tensor<4x3xf32>
  %11 = fuser.broadcast %10 dims [2] : tensor<4x3xf32> -> tensor<4x3x1xf32>
  %12 = fuser.add %11, %8 : (tensor<4x3x1xf32>, f32) -> tensor<4x3x1xf32>
  %13 = fuser.rsqrt %12 : tensor<4x3x1xf32>
  %14 = fuser.mul %a4, %13 : (tensor<4x3x16xf32>, tensor<4x3x1xf32>) -> tensor<4x3x16xf32>
  %15 = fuser.insert_slice %14 into %y [0, %o, 0] : tensor<4x3x16xf32> into tensor<4x64x16xf32>
  fuser.return %7, %15 : tensor<4x64x16xf32>, tensor<4x64x16xf32>
}

fuser.fusion @rank5(%x: tensor<3x4x5x6x7xf32>, %y: tensor<2x3x4x5x6x3xf32>) -> (tensor<3x4x5x6x7xf32>, tensor<3x4x5x6x7xf32>) {
  %0 = fuser.exp %x : tensor<3x4x5x6x7xf32>
  %1 = fuser.max %y dims [5] : tensor<2x3x4x5x6x3xf32> -> tensor<2x3x4x5x6xf32>
  %2 = fuser.insert_slice %1 into %0 [1, 1, 1, 1, 1] : tensor<2x3x4x5x6xf32> into tensor<3x4x5x6x7xf32>
  fuser.return %0, %2 : tensor<3x4x5x6x7xf32>, tensor<3x4x5x6x7xf32>
}

fuser.fusion @complex(%x: tensor<20x40xcomplex<f32>>, %y: tensor<5x30x7xcomplex<f32>>) -> (tensor<20x40xcomplex<f32>>, tensor<20x40xcomplex<f32>>) {
  %0 = fuser.neg %x : tensor<20x40xcomplex<f32>>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xcomplex<f32>> -> tensor<5x30xcomplex<f32>>
  %2 = fuser.insert_slice %1 into %0 [3, 4] : tensor<5x30xcomplex<f32>> into tensor<20x40xcomplex<f32>>
  fuser.return %0, %2 : tensor<20x40xcomplex<f32>>, tensor<20x40xcomplex<f32>>
}

fuser.fusion @f8(%x: tensor<20x40xf8E5M2>, %y: tensor<5x30x7xf8E5M2>) -> (tensor<20x40xf8E5M2>, tensor<20x40xf8E5M2>) {
  %0 = fuser.neg %x : tensor<20x40xf8E5M2>
  %1 = fuser.sum %y dims [2] : tensor<5x30x7xf8E5M2> -> tensor<5x30xf8E5M2>
  %2 = fuser.insert_slice %1 into %0 [3, 4] : tensor<5x30xf8E5M2> into tensor<20x40xf8E5M2>
  fuser.return %0, %2 : tensor<20x40xf8E5M2>, tensor<20x40xf8E5M2>
}

fuser.fusion @i1(%x: tensor<20x40xi1>, %y: tensor<5x30x7xi1>) -> (tensor<20x40xi1>, tensor<20x40xi1>) {
  %0 = fuser.logical_not %x : tensor<20x40xi1>
  %1 = fuser.any %y dims [2] : tensor<5x30x7xi1> -> tensor<5x30xi1>
  %2 = fuser.insert_slice %1 into %0 [3, 4] : tensor<5x30xi1> into tensor<20x40xi1>
  fuser.return %0, %2 : tensor<20x40xi1>, tensor<20x40xi1>
}

// Nothing is inserted.
fuser.fusion @no_elements(%x: tensor<20x40xf32>, %y: tensor<0x30x7xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.sum %y dims [2] : tensor<0x30x7xf32> -> tensor<0x30xf32>
  %2 = fuser.insert_slice %1 into %0 [3, 4] : tensor<0x30xf32> into tensor<20x40xf32>
  fuser.return %0, %2 : tensor<20x40xf32>, tensor<20x40xf32>
}
