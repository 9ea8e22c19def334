// RUN: fuser-run %s --device=host --check --program=histogram --sizes=1000,1000,8 --range i=-1:9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=histogram --sizes=1,1,8 --range i=0:8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=histogram --sizes=0,0,8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=33x7,33x7,5x7 --range i=0:5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x40,9x40,9x5 --range i=-2:7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=minima --sizes=200,200,4 --range i=0:4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=many --sizes=40x3,40x3,300x3 --range i=-2:302 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=counts --sizes=500 --range e=0:16 | FileCheck %s
// Accumulation against the reference, as a reduction where destinations are few, and as the op where they are not.

// CHECK: check {{.*}} ok
fuser.fusion @histogram(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

fuser.fusion @columns(%s: tensor<?x?xf32>, %i: tensor<?x?xi64>, %x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce mul : tensor<?x?xf32>, tensor<?x?xi64>, tensor<5x7xf32>
  fuser.return %0 : tensor<5x7xf32>
}

fuser.fusion @rows(%s: tensor<?x?xbf16>, %i: tensor<?x?xi32>, %x: tensor<?x5xbf16>) -> tensor<?x5xbf16>
    attributes {facts = [#fuser.fact<equal 0[0], 2[0]>, #fuser.fact<equal 0[0], 1[0]>]} {
  %0 = fuser.scatter %s at %i into %x dim 1 reduce max : tensor<?x?xbf16>, tensor<?x?xi32>, tensor<?x5xbf16>
  fuser.return %0 : tensor<?x5xbf16>
}

fuser.fusion @minima(%s: tensor<?xi16>, %i: tensor<?xi64>, %x: tensor<4xi16>) -> tensor<4xi16> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce min : tensor<?xi16>, tensor<?xi64>, tensor<4xi16>
  fuser.return %0 : tensor<4xi16>
}

fuser.fusion @many(%s: tensor<?x?xf32>, %i: tensor<?x?xi64>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<?x?xf32>, tensor<?x?xi64>, tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// Tokens for each expert.
fuser.fusion @counts(%e: tensor<?xi64>) -> tensor<16xi64> {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %e, %c0 : tensor<?xi64>
  %ones = fuser.full %one sizes(%n) : i64 -> tensor<?xi64>
  %none = fuser.full %zero : i64 -> tensor<16xi64>
  %0 = fuser.scatter %ones at %e into %none dim 0 reduce add : tensor<?xi64>, tensor<?xi64>, tensor<16xi64>
  fuser.return %0 : tensor<16xi64>
}
