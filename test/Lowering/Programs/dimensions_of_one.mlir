// Kernels with dimensions of one element beside others: each is one kernel, and none is taken apart.
// RUN: fuser-run %s --device=host --check-accesses --check --program=one_lane --sizes=100,256 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=one_lane --sizes=1,256 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=vector_of_one | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=unaligned_part | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=reductions_of_some_rows | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=normalised_beside_rows --sizes=1x200 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=many_rows_and_one --sizes=1x300,9x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=rows_of_one --sizes=1x1x1,1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=rows_of_one --sizes=5x9x1,5x9 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=two_grids | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=two_dynamic_grids --sizes=40x1x64 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=two_dynamic_grids --sizes=3x1x64 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=product_grids --sizes=200x5x5 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=product_grids --sizes=1x1x1 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=quotient_grids --sizes=256x31,2 --range=i=0:33 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check-accesses --check --program=quotient_grids --sizes=1x31,2 --range=i=0:33 | FileCheck %s --implicit-check-not=fallback
// CHECK: output 0: ok
// CHECK: output 1: ok

// An output without the dimension that vectors are along: its first lane is stored.
fuser.fusion @one_lane(%x: tensor<?xi32>, %y: tensor<256xi32>) -> (tensor<?x2xi32>, tensor<?xi32>) {
  %joined = fuser.cat %x, %y dim 0 : (tensor<?xi32>, tensor<256xi32>) -> tensor<?xi32>
  %column = fuser.broadcast %joined dims [1] : tensor<?xi32> -> tensor<?x1xi32>
  %both = fuser.expand %column : tensor<?x1xi32> -> tensor<?x2xi32>
  fuser.return %both, %joined : tensor<?x2xi32>, tensor<?xi32>
}

// An argument of one element is loaded in vectors, as one of two readers has them.
fuser.fusion @vector_of_one(%x: tensor<1x1xf32>, %y: tensor<1x100xf32>) -> (tensor<1x100xf32>, tensor<1xf32>) {
  %sum = fuser.add %x, %y : (tensor<1x1xf32>, tensor<1x100xf32>) -> tensor<1x100xf32>
  %scalar = fuser.reshape %x : tensor<1x1xf32> -> tensor<f32>
  %sigmoid = fuser.sigmoid %scalar : tensor<f32>
  %both = fuser.add %sigmoid, %scalar : tensor<f32>
  %one = fuser.broadcast %both dims [0] : tensor<f32> -> tensor<1xf32>
  fuser.return %sum, %one : tensor<1x100xf32>, tensor<1xf32>
}

// A part of an argument that is loaded for the indices of a joined value, and begins anywhere in memory.
fuser.fusion @unaligned_part(%x: tensor<1x64xf16>, %y: tensor<1x16xf16>) -> (tensor<1x28xf16>, tensor<1x28xf16>) {
  %part = fuser.slice %x [0, 21] [1, 12] : tensor<1x64xf16> -> tensor<1x12xf16>
  %relu = fuser.relu %part : tensor<1x12xf16>
  %0 = fuser.cat %relu, %y dim 1 : (tensor<1x12xf16>, tensor<1x16xf16>) -> tensor<1x28xf16>
  %1 = fuser.neg %0 : tensor<1x28xf16>
  fuser.return %0, %1 : tensor<1x28xf16>, tensor<1x28xf16>
}

// A reduction without the rows of the other one: threads of all rows do it, those of the first store it.
fuser.fusion @reductions_of_some_rows(%x: tensor<1x64xf32>, %y: tensor<3x1xf32>) -> (tensor<f32>, tensor<3xf32>) {
  %0 = fuser.mul %y, %x : (tensor<3x1xf32>, tensor<1x64xf32>) -> tensor<3x64xf32>
  %1 = fuser.sum %0 dims [1] : tensor<3x64xf32> -> tensor<3xf32>
  %2 = fuser.reshape %x : tensor<1x64xf32> -> tensor<64xf32>
  %3 = fuser.min %2 dims [0] : tensor<64xf32> -> tensor<f32>
  fuser.return %3, %1 : tensor<f32>, tensor<3xf32>
}

// The same where it is used again, by rows of its own.
fuser.fusion @normalised_beside_rows(%x: tensor<1x?xf32>) -> (tensor<1x?xf32>, tensor<2xf32>, tensor<1x?xf32>) {
  %0 = fuser.tanh %x : tensor<1x?xf32>
  %1 = fuser.relu %x : tensor<1x?xf32>
  %2 = fuser.sub %0, %1 : tensor<1x?xf32>
  %3 = fuser.expand %2 : tensor<1x?xf32> -> tensor<2x?xf32>
  %4 = fuser.mean %3 dims [1] : tensor<2x?xf32> -> tensor<2xf32>
  %5 = fuser.max %0 dims [1] : tensor<1x?xf32> -> tensor<1xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<1xf32> -> tensor<1x1xf32>
  %7 = fuser.sub %0, %6 : (tensor<1x?xf32>, tensor<1x1xf32>) -> tensor<1x?xf32>
  %8 = fuser.exp %7 : tensor<1x?xf32>
  %9 = fuser.sum %8 dims [1] : tensor<1x?xf32> -> tensor<1xf32>
  %10 = fuser.broadcast %9 dims [1] : tensor<1xf32> -> tensor<1x1xf32>
  %11 = fuser.div %8, %10 : (tensor<1x?xf32>, tensor<1x1xf32>) -> tensor<1x?xf32>
  fuser.return %11, %4, %2 : tensor<1x?xf32>, tensor<2xf32>, tensor<1x?xf32>
}

// The same with work behind it, and blocks instead of threads.
fuser.fusion @many_rows_and_one(%x: tensor<1x?xf32>, %y: tensor<?x1xf32>) -> (tensor<1xf32>, tensor<?xf32>) {
  %0 = fuser.mul %y, %x : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.min %x dims [1] : tensor<1x?xf32> -> tensor<1xf32>
  %3 = fuser.exp %2 : tensor<1xf32>
  fuser.return %3, %1 : tensor<1xf32>, tensor<?xf32>
}

// Facts say that rows have one element: merged with a dimension of one they are still rows.
fuser.fusion @rows_of_one(%x: tensor<?x?x1xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.mean %x dims [2] : tensor<?x?x1xf32> -> tensor<?x?xf32>
  %1 = fuser.sub %y, %0 : tensor<?x?xf32>
  %2 = fuser.sum %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.mul %0, %1 : tensor<?x?xf32>
  %4 = fuser.mean %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.sub %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %6, %2 : tensor<?x?xf32>, tensor<?xf32>
}

// Outputs that share nothing but an argument have loops beside each other, over as many blocks as the larger one.
fuser.fusion @two_grids(%x: tensor<64x1x64xbf16>) -> (tensor<64x3x64xbf16>, tensor<64x1x64xbf16>) {
  %0 = fuser.add %x, %x : tensor<64x1x64xbf16>
  %border = arith.constant 1.5 : bf16
  %1 = fuser.pad %x low [0, 0, 0] high [0, 2, 0] value %border : tensor<64x1x64xbf16>, bf16 -> tensor<64x3x64xbf16>
  fuser.return %1, %0 : tensor<64x3x64xbf16>, tensor<64x1x64xbf16>
}

// The same with sizes of which only an inequality is known.
fuser.fusion @two_dynamic_grids(%x: tensor<?x1x64xf32>) -> (tensor<?x3x64xf32>, tensor<?x1x64xf32>) {
  %0 = fuser.add %x, %x : tensor<?x1x64xf32>
  %border = arith.constant 1.5 : f32
  %1 = fuser.pad %x low [0, 0, 0] high [0, 2, 0] value %border : tensor<?x1x64xf32>, f32 -> tensor<?x3x64xf32>
  fuser.return %1, %0 : tensor<?x3x64xf32>, tensor<?x1x64xf32>
}

// The same with products of sizes, and with a quotient beside the whole.
fuser.fusion @product_grids(%x: tensor<?x?x?xbf16>) -> (tensor<?x?x?xbf16>, tensor<?x?x?xbf16>) {
  %border = arith.constant 1.5 : bf16
  %0 = fuser.pad %x low [0, 1, 0] high [0, 2, 0] value %border : tensor<?x?x?xbf16>, bf16 -> tensor<?x?x?xbf16>
  %1 = fuser.tanh %x : tensor<?x?x?xbf16>
  %2 = fuser.cat %0, %0 dim 0 : (tensor<?x?x?xbf16>, tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16>
  fuser.return %1, %2 : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>
}
fuser.fusion @quotient_grids(%x: tensor<?x31xi32>, %i: tensor<2xi64>) -> (tensor<2x?xi32>, tensor<?x31xi32>, tensor<33x?xi32>) {
  %border = arith.constant 3 : i32
  %0 = fuser.add %x, %x : tensor<?x31xi32>
  %1 = fuser.pad %x low [0, 1] high [0, 1] value %border : tensor<?x31xi32>, i32 -> tensor<?x33xi32>
  %2 = fuser.abs %1 : tensor<?x33xi32>
  %3 = fuser.permute %2 [1, 0] : tensor<?x33xi32> -> tensor<33x?xi32>
  %4 = fuser.cat %3, %3 dim 1 : (tensor<33x?xi32>, tensor<33x?xi32>) -> tensor<33x?xi32>
  %5 = fuser.index_select %4, %i dim 0 : tensor<33x?xi32>, tensor<2xi64> -> tensor<2x?xi32>
  fuser.return %5, %0, %4 : tensor<2x?xi32>, tensor<?x31xi32>, tensor<33x?xi32>
}
