// RUN: fuser-run %s --device=host --check --program=histogram --sizes=1000,1000,8 --range i=-1:9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=histogram --sizes=1,1,8 --range i=0:8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=histogram --sizes=0,0,8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=33x7,33x7,5x7 --range i=0:5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x40,9x40,9x5 --range i=-2:7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=minima --sizes=200,200,4 --range i=0:4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=many --sizes=40x3,40x3,300x3 --range i=-2:302 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=counts --sizes=500 --range e=0:16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_of_each_row --sizes=33x1,33x1,33x50 --range i=-2:52 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_added --sizes=1x7,1x7,40x7 --range i=-1:41 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_added --sizes=1x7,1x7,0x7 --range i=0:1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cross_entropy_gradient --sizes=5x99,5x1,5x1 --range i=0:99 | FileCheck %s --check-prefix=ONE
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

fuser.fusion @one_of_each_row(%s: tensor<?x1xf32>, %i: tensor<?x1xi64>, %x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<equal 1[0], 2[0]>]} {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<?x1xf32>, tensor<?x1xi64>, tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @one_added(%s: tensor<1x7xbf16>, %i: tensor<1x7xi32>, %x: tensor<?x7xbf16>) -> tensor<?x7xbf16> {
  %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<1x7xbf16>, tensor<1x7xi32>, tensor<?x7xbf16>
  fuser.return %0 : tensor<?x7xbf16>
}

// softmax(x) - one_hot(i), times a gradient, in one kernel.
// ONE: kernels {{.*}}cross_entropy_gradient_0
// ONE-NOT: cross_entropy_gradient_1
// ONE: check {{.*}} ok
fuser.fusion @cross_entropy_gradient(%x: tensor<?x99xf32>, %i: tensor<?x1xi64>, %g: tensor<?x1xf32>) -> tensor<?x99xf32>
    attributes {facts = [#fuser.fact<equal 0[0], 1[0]>]} {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x99xf32>
  %none = fuser.full %zero sizes(%n) : f32 -> tensor<?x99xf32>
  %one = fuser.full %minus sizes(%n) : f32 -> tensor<?x1xf32>
  %hot = fuser.scatter %one at %i into %none dim 1 : tensor<?x1xf32>, tensor<?x1xi64>, tensor<?x99xf32>
  %scaled = fuser.mul %hot, %g : (tensor<?x99xf32>, tensor<?x1xf32>) -> tensor<?x99xf32>
  %sum = fuser.sum %scaled dims [1] : tensor<?x99xf32> -> tensor<?xf32>
  %wide = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %most = fuser.max %x dims [1] : tensor<?x99xf32> -> tensor<?xf32>
  %most1 = fuser.broadcast %most dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %less = fuser.sub %x, %most1 : (tensor<?x99xf32>, tensor<?x1xf32>) -> tensor<?x99xf32>
  %e = fuser.exp %less : tensor<?x99xf32>
  %es = fuser.sum %e dims [1] : tensor<?x99xf32> -> tensor<?xf32>
  %es1 = fuser.broadcast %es dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %p = fuser.div %e, %es1 : (tensor<?x99xf32>, tensor<?x1xf32>) -> tensor<?x99xf32>
  %ps = fuser.mul %p, %wide : (tensor<?x99xf32>, tensor<?x1xf32>) -> tensor<?x99xf32>
  %0 = fuser.sub %scaled, %ps : tensor<?x99xf32>
  fuser.return %0 : tensor<?x99xf32>
}
