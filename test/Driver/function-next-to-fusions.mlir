// RUN: fuser-run %s --program=function --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=fusion --device=host --check | FileCheck %s
// RUN: fuser-explain %s --program=function | FileCheck %s --check-prefix=EXPLAIN
// RUN: fuser-run %s --device=host --check | FileCheck %s --check-prefix=ONLY
// A function of other dialects in a file with a fusion is run by its name; without a name the fusion is the program.

// CHECK: check {{ *}}output 0: ok
// EXPLAIN: program {{ *}}@function
// ONLY: program {{ *}}@fusion
fuser.fusion @fusion(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
func.func @function(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
