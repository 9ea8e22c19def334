// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions | sed 's/attributes {aliases = /attributes {fuser_sched.only = "accumulation", aliases = /' > %t.segments.mlir
// RUN: fuser-opt %t.segments.mlir --fuser-choose-schedules=target=h200 -o %t.mlir
// RUN: FileCheck %s --check-prefix=CHOSEN --input-file=%t.mlir
// RUN: fuser-run %t.mlir --device=host --check --program=rows --sizes=1000x128,1000,99x128 --range i=-3:102 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=rows --sizes=0x128,0,99x128 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=rows --sizes=1x128,1,99x128 --range i=0:2 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=columns --sizes=33x2500,33x2500,40x129 --range i=-2:131 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=columns --sizes=700x4,700x4,704x129 --range i=0:129 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=planes --sizes=5x4000x12,5x4000x12,5x70x12 --range i=0:70 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=transposed --sizes=128x500,500,128x99 --range i=0:99 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=half_maxima --sizes=3002,3002,80 --range i=0:80 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=minima --sizes=9998,9998,80 --range i=0:80 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=long_integers --sizes=70000,70000,100 --range i=0:100 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=chain --sizes=3000x8,3000,80x8 --range i=0:80 | FileCheck %s
// RUN: fuser-run %t.mlir --device=host --check --program=both --sizes=3001x2,3001x2,70,80 --range i=-1:80 | FileCheck %s
// Blocks that combine elements in shared memory first, against the reference: indices outside, parts of rows, destinations
// that get nothing, which keep their value.

// CHOSEN-COUNT-10: schedule = #fuser_sched.accumulation<
// CHECK: check {{.*}} ok
fuser.fusion @rows(%s: tensor<?x128xf32>, %i: tensor<?xi64>, %x: tensor<99x128xf32>) -> tensor<99x128xf32> {
  %b = fuser.broadcast %i dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %e = fuser.expand %b : tensor<?x1xi64> -> tensor<?x128xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<?x128xf32>, tensor<?x128xi64>, tensor<99x128xf32>
  fuser.return %0 : tensor<99x128xf32>
}

// Rows of the operand that get nothing.
fuser.fusion @columns(%s: tensor<?x?xi32>, %i: tensor<?x?xi32>, %x: tensor<?x129xi32>) -> tensor<?x129xi32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x129xi32>
  fuser.return %0 : tensor<?x129xi32>
}

fuser.fusion @planes(%s: tensor<5x?x12xf32>, %i: tensor<5x?x12xi64>, %x: tensor<5x70x12xf32>) -> tensor<5x70x12xf32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<5x?x12xf32>, tensor<5x?x12xi64>, tensor<5x70x12xf32>
  fuser.return %0 : tensor<5x70x12xf32>
}

// Along the fastest dimension, at indices that all rows share.
fuser.fusion @transposed(%s: tensor<128x?xf32>, %i: tensor<?xi64>, %x: tensor<128x99xf32>) -> tensor<128x99xf32> {
  %b = fuser.broadcast %i dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %e = fuser.expand %b : tensor<1x?xi64> -> tensor<128x?xi64>
  %0 = fuser.push %s at %e into %x dim 1 reduce add : tensor<128x?xf32>, tensor<128x?xi64>, tensor<128x99xf32>
  fuser.return %0 : tensor<128x99xf32>
}

fuser.fusion @half_maxima(%s: tensor<?xbf16>, %i: tensor<?xi64>, %x: tensor<80xbf16>) -> tensor<80xbf16> {
  %0 = fuser.push %s at %i into %x dim 0 reduce max : tensor<?xbf16>, tensor<?xi64>, tensor<80xbf16>
  fuser.return %0 : tensor<80xbf16>
}

fuser.fusion @minima(%s: tensor<?xf64>, %i: tensor<?xi32>, %x: tensor<80xf64>) -> tensor<80xf64> {
  %0 = fuser.push %s at %i into %x dim 0 reduce min : tensor<?xf64>, tensor<?xi32>, tensor<80xf64>
  fuser.return %0 : tensor<80xf64>
}

fuser.fusion @long_integers(%s: tensor<70000xi64>, %i: tensor<70000xi64>, %x: tensor<100xi64>) -> tensor<100xi64> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<70000xi64>, tensor<70000xi64>, tensor<100xi64>
  fuser.return %0 : tensor<100xi64>
}

fuser.fusion @chain(%s: tensor<?x8xf32>, %i: tensor<?xi64>, %x: tensor<80x8xf32>) -> tensor<80x8xf32> {
  %b = fuser.broadcast %i dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %e = fuser.expand %b : tensor<?x1xi64> -> tensor<?x8xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<80x8xf32>
  %1 = fuser.push %s at %e into %0 dim 0 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<80x8xf32>
  fuser.return %1 : tensor<80x8xf32>
}

// Two results of the same elements: a block has a copy for each.
fuser.fusion @both(%s: tensor<?x2xf32>, %i: tensor<?x2xi64>, %x: tensor<70xi64>, %y: tensor<80xf32>) -> (tensor<70xi64>, tensor<80xf32>)
    attributes {facts = [#fuser.fact<equal 0[0], 1[0]>]} {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %i, %c0 : tensor<?x2xi64>
  %m = arith.muli %n, %c2 : index
  %e = fuser.reshape %i : tensor<?x2xi64> -> tensor<?xi64>
  %ones = fuser.full %one sizes(%m) : i64 -> tensor<?xi64>
  %0 = fuser.push %ones at %e into %x dim 0 reduce add : tensor<?xi64>, tensor<?xi64>, tensor<70xi64>
  %f = fuser.reshape %s : tensor<?x2xf32> -> tensor<?xf32>
  %1 = fuser.push %f at %e into %y dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<80xf32>
  fuser.return %0, %1 : tensor<70xi64>, tensor<80xf32>
}
