// RUN: fuser-run %s --sizes=3x4,3x4 --device=host --check | FileCheck %s
// Choices that no broadcast of TOSA needs stay as they are: dead ones go with the assertion that they are for, and with
// the code inside of them. The broadcast of the addition is dropped nevertheless.

// CHECK: check {{ *}}output 0: ok
func.func @other_choices(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %p: i1) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  // The condition is another one.
  %isLess = arith.cmpi slt, %d, %c1 : index
  %first = scf.if %isLess -> i1 {
    scf.yield %p : i1
  } else {
    %isOdd = arith.remui %d, %c2 : index
    %odd = arith.cmpi eq, %isOdd, %c1 : index
    scf.yield %odd : i1
  }
  cf.assert %first, "first"
  // The value of the other sizes is computed.
  %isOne = arith.cmpi eq, %d, %c1 : index
  %second = scf.if %isOne -> i1 {
    scf.yield %p : i1
  } else {
    %small = arith.cmpi slt, %d, %c1 : index
    %either = arith.ori %small, %p : i1
    scf.yield %either : i1
  }
  cf.assert %second, "second"
  %0 = tosa.add %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
