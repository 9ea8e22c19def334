// RUN: fuser-explain %s --program=fill | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=fill_of_three | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=argument | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=alias | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=alias_of_two | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=live | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=over_by_cat | FileCheck %s --check-prefix=THREE
// RUN: fuser-explain %s --program=depends | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=one_kernel | FileCheck %s --check-prefix=TWO
// RUN: fuser-explain %s --program=sums_of_the_destination | FileCheck %s --check-prefix=TWO
// RUN: fuser-run %s --device=host --check --program=fill | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=fill_of_three | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=argument | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=alias | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=alias_of_two | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=live | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=over_by_cat | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=depends | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=one_kernel | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=sums_of_the_destination | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-explain %s --program=read_after_overwritten | FileCheck %s --check-prefix=THREE
// RUN: fuser-run %s --device=host --check --program=read_after_overwritten --sizes=100x7 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --program=read_after_overwritten --sizes=128x3 | FileCheck %s --implicit-check-not=fallback
// S2.2: kernels run in the order in which the later insertion wins and a destination is written before what is inserted into it,
// whatever the order of the program: no kernel only joins.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// TWO: fused {{ *}}2 kernels,
// THREE: fused {{ *}}3 kernels,

// The value of the later insertion is computed first.
fuser.fusion @fill(%x: tensor<5x30x7xf32>, %y: tensor<5x30xf32>) -> tensor<20x40xf32> {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %y, %2 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %4 = fuser.exp %3 : tensor<5x30xf32>
  %5 = fuser.sum %4 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %7 = fuser.div %4, %6 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %8 = arith.constant 3.0 : f32
  %9 = fuser.full %8 : f32 -> tensor<20x40xf32>
  %10 = fuser.insert_slice %7 into %9 [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %11 = fuser.insert_slice %0 into %10 [4, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %11 : tensor<20x40xf32>
}

fuser.fusion @fill_of_three(%x: tensor<5x30x7xf32>, %y: tensor<5x30xf32>, %z: tensor<5x30xf32>) -> tensor<20x40xf32> {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %y, %2 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %4 = fuser.exp %3 : tensor<5x30xf32>
  %5 = fuser.sum %4 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %7 = fuser.div %4, %6 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %8 = fuser.cumsum %z dim 1 : tensor<5x30xf32> -> tensor<5x30xf32>
  %9 = arith.constant 3.0 : f32
  %10 = fuser.full %9 : f32 -> tensor<20x40xf32>
  %11 = fuser.insert_slice %7 into %10 [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %12 = fuser.insert_slice %8 into %11 [4, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  %13 = fuser.insert_slice %0 into %12 [6, 7] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %13 : tensor<20x40xf32>
}

// One copy of the argument.
fuser.fusion @argument(%x: tensor<5x30x7xf32>, %y: tensor<5x30xf32>, %z: tensor<20x40xf32>) -> tensor<20x40xf32> {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %y, %2 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %4 = fuser.exp %3 : tensor<5x30xf32>
  %5 = fuser.sum %4 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %7 = fuser.div %4, %6 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %8 = fuser.insert_slice %7 into %z [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %9 = fuser.insert_slice %0 into %8 [4, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %9 : tensor<20x40xf32>
}

// In place.
fuser.fusion @alias(%x: tensor<5x30x7xf32>, %y: tensor<5x30xf32>, %z: tensor<20x40xf32>) -> tensor<20x40xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %y, %2 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %4 = fuser.exp %3 : tensor<5x30xf32>
  %5 = fuser.sum %4 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %7 = fuser.div %4, %6 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %8 = fuser.insert_slice %7 into %z [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %9 = fuser.insert_slice %0 into %8 [4, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %9 : tensor<20x40xf32>
}

// In place, two boxes that do not overlap.
fuser.fusion @alias_of_two(%x: tensor<20x40xf32>, %y: tensor<5x30xf32>, %z: tensor<5x30x7xf32>) -> tensor<20x40xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.cumsum %y dim 1 : tensor<5x30xf32> -> tensor<5x30xf32>
  %1 = fuser.sum %z dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %2 = fuser.insert_slice %1 into %x [0, 0] : tensor<5x30xf32> into tensor<20x40xf32>
  %3 = fuser.insert_slice %0 into %2 [8, 4] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %3 : tensor<20x40xf32>
}

fuser.fusion @live(%x: tensor<5x30x7xf32>, %y: tensor<5x30xf32>, %z: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %1 = fuser.max %y dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %3 = fuser.sub %y, %2 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %4 = fuser.exp %3 : tensor<5x30xf32>
  %5 = fuser.sum %4 dims [1] : tensor<5x30xf32> -> tensor<5xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %7 = fuser.div %4, %6 : (tensor<5x30xf32>, tensor<5x1xf32>) -> tensor<5x30xf32>
  %8 = fuser.exp %z : tensor<20x40xf32>
  %9 = fuser.insert_slice %7 into %8 [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %10 = fuser.insert_slice %0 into %9 [4, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %8, %10 : tensor<20x40xf32>, tensor<20x40xf32>
}

// The later one is a joined value itself.
fuser.fusion @over_by_cat(%x: tensor<4x6x9xf32>, %y: tensor<4x5x9xf32>, %z: tensor<8x16xf32>) -> tensor<20x64xf32> {
  %0 = arith.constant 3.0 : f32
  %1 = fuser.full %0 : f32 -> tensor<20x64xf32>
  %2 = fuser.sum %x dims [2] : tensor<4x6x9xf32> -> tensor<4x6xf32>
  %3 = fuser.max %y dims [2] : tensor<4x5x9xf32> -> tensor<4x5xf32>
  %4 = fuser.cat %2, %3 dim 1 : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<4x11xf32>
  %5 = fuser.max %z dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %7 = fuser.sub %z, %6 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %8 = fuser.exp %7 : tensor<8x16xf32>
  %9 = fuser.sum %8 dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %10 = fuser.broadcast %9 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %11 = fuser.div %8, %10 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %12 = fuser.insert_slice %11 into %1 [2, 3] : tensor<8x16xf32> into tensor<20x64xf32>
  %13 = fuser.insert_slice %4 into %12 [4, 5] : tensor<4x11xf32> into tensor<20x64xf32>
  fuser.return %13 : tensor<20x64xf32>
}

// Not where the destination depends on the part: the kernel of the destination inserts it as well.
fuser.fusion @depends(%x: tensor<20x40x7xf32>, %y: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<20x40x7xf32> -> tensor<20x40xf32>
  %1 = fuser.add %y, %0 : (tensor<20x40xf32>, tensor<20x40xf32>) -> tensor<20x40xf32>
  %2 = fuser.slice %0 [2, 3] [4, 5] : tensor<20x40xf32> -> tensor<4x5xf32>
  %3 = fuser.insert_slice %2 into %1 [2, 3] : tensor<4x5xf32> into tensor<20x40xf32>
  fuser.return %1, %3 : tensor<20x40xf32>, tensor<20x40xf32>
}

// Nor where one kernel computes both parts, which overlap: a second one joins them.
fuser.fusion @one_kernel(%x: tensor<5x30x7xf32>) -> tensor<20x40xf32> {
  %0 = arith.constant 3.0 : f32
  %1 = fuser.full %0 : f32 -> tensor<20x40xf32>
  %2 = fuser.sum %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %3 = fuser.max %x dims [2] : tensor<5x30x7xf32> -> tensor<5x30xf32>
  %4 = fuser.insert_slice %3 into %1 [2, 3] : tensor<5x30xf32> into tensor<20x40xf32>
  %5 = fuser.insert_slice %2 into %4 [4, 5] : tensor<5x30xf32> into tensor<20x40xf32>
  fuser.return %5 : tensor<20x40xf32>
}

// Nor where one kernel computes the destination as well: the kernel that joins them is counted.
fuser.fusion @sums_of_the_destination(%x: tensor<20x40xf32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %0 = fuser.exp %x : tensor<20x40xf32>
  %1 = fuser.sum %0 dims [1] : tensor<20x40xf32> -> tensor<20xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<20xf32> -> tensor<20x1xf32>
  %3 = fuser.insert_slice %2 into %0 [0, 3] : tensor<20x1xf32> into tensor<20x40xf32>
  fuser.return %0, %3 : tensor<20x40xf32>, tensor<20x40xf32>
}

// The parts of the repeat are overwritten by a sum before the last kernel reads the maximum: it has a buffer of its own.
fuser.fusion @read_after_overwritten(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %0 = fuser.max %x dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  %1 = fuser.repeat %0 [2] : tensor<?xi32> -> tensor<?xi32>
  %2 = fuser.sum %x dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  %3 = fuser.insert_slice %2 into %1 [98] : tensor<?xi32> into tensor<?xi32>
  %4 = fuser.insert_slice %0 into %3 [34] : tensor<?xi32> into tensor<?xi32>
  fuser.return %4 : tensor<?xi32>
}
