// RUN: not fuser-run %s --device=host 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fuser-explain %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: fuser-run %s --program=good --device=host --check 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: not fuser-run %s --program=foreign --device=host 2>&1 | FileCheck %s --check-prefix=FOREIGN
// Of several functions the tool asks for a name, before it converts any of them; a foreign op in one is no fault of another.
// That a function calls is no program, and scalars that stay are not what the error is about.

// NONE-NOT: not converted
// NONE: error: expected --program= with the name of one of @good, @foreign, @main, but got none
// GOOD-NOT: remark
// GOOD: program {{ *}}@good
// GOOD: check {{ *}}output 0: ok
// FOREIGN: error: 'func.call' op expected a function of ops that convert to fuser
func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func @good(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @foreign(%x: tensor<8xf32>, %n: i64, %v: tensor<1xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %v[%c0] : tensor<1xf32>
  %s = arith.addi %n, %n : i64
  %f = arith.sitofp %s : i64 to f32
  %g = arith.addf %e, %f : f32
  %0 = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.splat %g : tensor<8xf32>
  %2 = arith.addf %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func @part(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.tanh %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @part(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
