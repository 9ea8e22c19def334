// RUN: fuser-run %s --program=int_div --range y=-4:-1 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=uint_div --range y=1:9 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=extended --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=extended64 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=uextended --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=carry --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=sincos --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=isnormal --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=index_ops --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=ipow --range x=-5:5 --range y=0:9 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=ipow_neg --range x=-2:3 --range y=-3:6 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=ipow_dyn --size x=7 --size y=7 --range x=-5:5 --range y=0:9 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=xor_bool --device=host --check 2>&1 | FileCheck %s
// NUMPY: isnormal = (abs(x) >= 2.0**-126) & np.isfinite(x)
// NUMPY: ipow_neg = np.where(y < 0, np.where(abs(x | 1) == 1, (x | 1) ** abs(y), 0), (x | 1) ** abs(y))
// Ops that others express: divisions by what is not constant, ops with two results, the index dialect, integer powers.

// CHECK-NOT: not converted
// CHECK: check {{ *}}output 0: ok

#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
func.func @int_div(%x: tensor<4x9xi32>, %y: tensor<4x9xi32>) -> (tensor<4x9xi32>, tensor<4x9xi32>) {
  %e = tensor.empty() : tensor<4x9xi32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x9xi32>, tensor<4x9xi32>) outs(%e, %e : tensor<4x9xi32>, tensor<4x9xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32, %p: i32):
    %1 = arith.divsi %a, %b : i32
    %2 = arith.remsi %a, %b : i32
    %3 = arith.floordivsi %a, %b : i32
    %4 = arith.ceildivsi %a, %b : i32
    %5 = arith.addi %1, %3 : i32
    %6 = arith.subi %2, %4 : i32
    linalg.yield %5, %6 : i32, i32
  } -> (tensor<4x9xi32>, tensor<4x9xi32>)
  return %0#0, %0#1 : tensor<4x9xi32>, tensor<4x9xi32>
}
func.func @uint_div(%x: tensor<4x9xi32>, %y: tensor<4x9xi32>) -> tensor<4x9xi32> {
  %e = tensor.empty() : tensor<4x9xi32>
  %0 = linalg.div_unsigned ins(%x, %y : tensor<4x9xi32>, tensor<4x9xi32>) outs(%e : tensor<4x9xi32>) -> tensor<4x9xi32>
  return %0 : tensor<4x9xi32>
}
func.func @extended(%x: tensor<9xi32>, %y: tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>) {
  %0, %1 = arith.mulsi_extended %x, %y : tensor<9xi32>
  return %0, %1 : tensor<9xi32>, tensor<9xi32>
}
func.func @extended64(%x: tensor<9xi64>, %y: tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>) {
  %0, %1 = arith.mulsi_extended %x, %y : tensor<9xi64>
  return %0, %1 : tensor<9xi64>, tensor<9xi64>
}
func.func @uextended(%x: tensor<9xi64>, %y: tensor<9xi64>) -> tensor<9xi64> {
  %0, %1 = arith.mului_extended %x, %y : tensor<9xi64>
  return %1 : tensor<9xi64>
}
func.func @carry(%x: tensor<9xi32>, %y: tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi1>) {
  %0, %1 = arith.addui_extended %x, %y : tensor<9xi32>, tensor<9xi1>
  return %0, %1 : tensor<9xi32>, tensor<9xi1>
}
func.func @sincos(%x: tensor<9xf32>) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s, %c = math.sincos %a : f32
    %1 = arith.mulf %s, %c : f32
    linalg.yield %1 : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func @isnormal(%x: tensor<9xf32>) -> tensor<9xi1> {
  %0 = math.isnormal %x : tensor<9xf32>
  return %0 : tensor<9xi1>
}
func.func @index_ops(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %e = tensor.empty() : tensor<4x9xf32>
  %c5 = index.constant 5
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x9xf32>) outs(%e : tensor<4x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %m = index.mul %i, %j
    %r = index.remu %m, %c5
    %g = index.cmp sgt(%r, %i)
    %k = index.casts %r : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.select %g, %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}
func.func @ipow(%x: tensor<4x9xi32>, %y: tensor<4x9xi32>) -> tensor<4x9xi32> {
  %0 = math.ipowi %x, %y : tensor<4x9xi32>
  return %0 : tensor<4x9xi32>
}
func.func @ipow_neg(%x: tensor<64xi32>, %y: tensor<64xi32>) -> tensor<64xi32> {
  %one = arith.constant dense<1> : tensor<64xi32>
  %b = arith.ori %x, %one : tensor<64xi32>
  %0 = math.ipowi %b, %y : tensor<64xi32>
  return %0 : tensor<64xi32>
}
func.func @ipow_dyn(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %0 = math.ipowi %x, %y : tensor<?xi64>
  return %0 : tensor<?xi64>
}
func.func @xor_bool(%x: tensor<4x9xi1>) -> tensor<4xi1> {
  %f = arith.constant false
  %e = tensor.empty() : tensor<4xi1>
  %i = linalg.fill ins(%f : i1) outs(%e : tensor<4xi1>) -> tensor<4xi1>
  %0 = linalg.reduce { arith.xori } ins(%x : tensor<4x9xi1>) outs(%i : tensor<4xi1>) dimensions = [1]
  return %0 : tensor<4xi1>
}
