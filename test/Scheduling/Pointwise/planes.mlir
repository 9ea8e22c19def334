// RUN: fuser-run %s --start-from=apply --device=host --sizes=2x3x5x128,5x128,5x128 --save-output=%t.planes.npy
// RUN: fuser-run %S/../../Segmentation/Programs/rope.mlir --device=host --sizes=2x3x5x128,5x128,5x128 --save-output=%t.rows.npy
// RUN: cmp %t.planes.npy %t.rows.npy
// RUN: fuser-run %s --start-from=apply --device=host --sizes=2x3x33x128,33x128,33x128 --save-output=%t.planes.npy
// RUN: fuser-run %S/../../Segmentation/Programs/rope.mlir --device=host --sizes=2x3x33x128,33x128,33x128 --save-output=%t.rows.npy
// RUN: cmp %t.planes.npy %t.rows.npy
// RUN: fuser-opt %s --fuser-phase-apply | FileCheck %s
// A rotary embedding whose threads take four planes each, as many as there are or not: the result is that of one row after
// the other. All that a thread loads of the planes, also at an offset, is loaded before any of it is used, and what the
// planes share once.

// CHECK: fuser.set %arg0 {{.*}}@unroll{{.*}}inline_at = 4
// CHECK: fuser.set %arg1 {{.*}} broadcast() -> b8, {{.*}}b9 @unroll{{.*}}inline_at = 4
// CHECK: fuser.set %arg4 {{.*}}resize(i3, 0, 64){{.*}}inline_at = 4
// CHECK: fuser.set %arg3 {{.*}}resize(i3, 64, 0){{.*}}inline_at = 4
fuser.kernel @rope_0(%arg0: tensor<?x?x?x128xbf16>, %arg1: tensor<?x128xf32>, %arg2: tensor<?x128xf32>, %arg3: tensor<?x?x?x64xbf16>, %arg4: tensor<?x?x?x64xbf16>) -> tensor<?x?x?x128xbf16> attributes {arg_layouts = [unit, unit, unit, #fuser.layout<order = [0, 1, 2, 3], strided = [0, 1, 2]>, #fuser.layout<order = [0, 1, 2, 3], strided = [0, 1, 2]>], facts = [#fuser.fact<equal 0[2], 1[0]>, #fuser.fact<equal 0[2], 2[0]>, #fuser.fact<stride_divisible 3[0], 16>, #fuser.fact<stride_divisible 3[1], 16>, #fuser.fact<stride_divisible 3[2], 16>, #fuser.fact<stride_divisible 4[0], 16>, #fuser.fact<stride_divisible 4[1], 16>, #fuser.fact<stride_divisible 4[2], 16>, #fuser.fact<equal 0[0], 3[0]>, #fuser.fact<equal 0[1], 3[1]>, #fuser.fact<equal 0[2], 3[2]>, #fuser.fact<equal 0[0], 4[0]>, #fuser.fact<equal 0[1], 4[1]>, #fuser.fact<equal 0[2], 4[2]>, #fuser.fact<at_most 0[0], 2>, #fuser.fact<at_most 0[1], 131070>, #fuser.fact<at_most 0[2], 524280>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<aligned 4, 16>, #fuser.fact<aligned 5, 16>, #fuser.fact<elements_at_most 0, 2130706431>, #fuser.fact<elements_at_most 1, 2130706431>, #fuser.fact<elements_at_most 2, 2130706431>, #fuser.fact<elements_at_most 3, 2130706431>, #fuser.fact<elements_at_most 4, 2130706431>, #fuser.fact<elements_at_most 5, 2130706431>], fuser_sched.sizes = [array<i64: 2, 32, 16384, 128>, array<i64: 16384, 128>, array<i64: 16384, 128>, array<i64: 2, 32, 16384, 64>, array<i64: 2, 32, 16384, 64>], schedule = #fuser_sched.pointwise<threads = 16, vector = 8, rows = 8, inner_dims = 1, outer_dims = 2, repeats = 4>} {
  %0 = fuser.broadcast %arg1 dims [0, 1] : tensor<?x128xf32> -> tensor<1x1x?x128xf32>
  %1 = fuser.broadcast %arg2 dims [0, 1] : tensor<?x128xf32> -> tensor<1x1x?x128xf32>
  %2 = fuser.neg %arg4 : tensor<?x?x?x64xbf16>
  %3 = fuser.cat %2, %arg3 dim 3 : (tensor<?x?x?x64xbf16>, tensor<?x?x?x64xbf16>) -> tensor<?x?x?x128xbf16>
  %4 = fuser.cast %arg0 : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %5 = fuser.cast %3 : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %6 = fuser.mul %4, %0 : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %7 = fuser.mul %5, %1 : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %8 = fuser.add %6, %7 : tensor<?x?x?x128xf32>
  %9 = fuser.cast %8 : tensor<?x?x?x128xf32> to tensor<?x?x?x128xbf16>
  fuser.return %9 : tensor<?x?x?x128xbf16>
}
fuser.host @rope(%arg0: tensor<?x?x?x128xbf16>, %arg1: tensor<?x128xf32>, %arg2: tensor<?x128xf32>) -> tensor<?x?x?x128xbf16> attributes {facts = [#fuser.fact<equal 0[2], 1[0]>, #fuser.fact<equal 0[2], 2[0]>]} {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x?x128xbf16>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x?x128xbf16>
  %c2 = arith.constant 2 : index
  %dim_1 = tensor.dim %arg0, %c2 : tensor<?x?x?x128xbf16>
  %0 = fuser.alloc(%dim, %dim_0, %dim_1) : tensor<?x?x?x128xbf16>
  %1 = fuser.view %arg0 [0, 0, 0, 0] [%dim, %dim_0, %dim_1, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %2 = fuser.view %arg0 [0, 0, 0, 64] [%dim, %dim_0, %dim_1, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %3 = fuser.launch @rope_0 ins(%arg0, %arg1, %arg2, %1, %2 : tensor<?x?x?x128xbf16>, tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x?x?x64xbf16>, tensor<?x?x?x64xbf16>) outs(%0 : tensor<?x?x?x128xbf16>) -> tensor<?x?x?x128xbf16>
  fuser.return %3 : tensor<?x?x?x128xbf16>
}
