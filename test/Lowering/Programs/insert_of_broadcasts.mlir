// RUN: fuser-run %s --device=host --check --sizes=1x128,128x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x77,100x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x0,0x1 | FileCheck %s
// A column whose row is the quotient of the lanes: all lanes of a vector are one element of it, although its offset names
// the lane. Read as a vector it would leave the argument.
// CHECK: check {{.*}} ok

fuser.fusion @f(%x: tensor<1x?xf16>, %y: tensor<?x1xf16>) -> tensor<144x128xf16> {
  %0 = fuser.sub %x, %y : (tensor<1x?xf16>, tensor<?x1xf16>) -> tensor<?x?xf16>
  %cst = arith.constant 1.5 : f16
  %1 = fuser.full %cst : f16 -> tensor<144x128xf16>
  %2 = fuser.insert_slice %0 into %1 [2, 0] : tensor<?x?xf16> into tensor<144x128xf16>
  fuser.return %2 : tensor<144x128xf16>
}
