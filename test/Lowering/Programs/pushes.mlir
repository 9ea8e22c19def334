// RUN: fuser-run %s --device=host --check --program=rows --sizes=1000x128,1000,99x128 --range i=-3:102 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=3000x12,3000,2x12 --range i=0:2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=100x3,100,7x3 --range i=0:7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=0x3,0,7x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=9x3,9,0x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=33x200,33x200,40x129 --range i=-2:131 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=counts --sizes=5000,300 --range i=0:300 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_dimensions --sizes=5x40x12,5x40x12,5x30x12 --range i=0:30 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=transposed --sizes=128x500,500,128x99 --range i=0:99 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=permuted --sizes=50x64,50,64x99 --range i=0:99 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=half --sizes=300x64,300,80x64 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=half_maxima --sizes=300,300,80 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=minima --sizes=300,300,80 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=infinities --sizes=3000x4,3000x4,80x4 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=bytes --sizes=3000,3000,80 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=replaced --sizes=1000,1200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=chain --sizes=300x8,300,80x8 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=used_again --sizes=300x8,300,80x8 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=in_place --sizes=300x8,300,80x8 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_in_place --sizes=300x8,80x8 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined --sizes=300x8,300,80x8 --range i=0:80 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=from_itself --sizes=300x8,300 --range i=0:300 | FileCheck %s
// Scatters from the source's side, against the reference: many elements with one index, indices outside, nothing to store,
// operands that have other readers.

// CHECK: check {{.*}} ok
fuser.fusion @rows(%s: tensor<?x?xf32>, %i: tensor<?xi64>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %s, %c1 : tensor<?x?xf32>
  %b = fuser.broadcast %i dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %e = fuser.expand %b sizes(%n) : tensor<?x1xi64> -> tensor<?x?xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<?x?xf32>, tensor<?x?xi64>, tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// Rows and columns of the operand that get nothing.
fuser.fusion @columns(%s: tensor<?x?xf32>, %i: tensor<?x?xi32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @counts(%i: tensor<?xi64>, %x: tensor<?xi64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %n = tensor.dim %i, %c0 : tensor<?xi64>
  %s = fuser.full %one sizes(%n) : i64 -> tensor<?xi64>
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>
  fuser.return %0 : tensor<?xi64>
}

fuser.fusion @three_dimensions(%s: tensor<5x40x12xf32>, %i: tensor<5x40x12xi64>, %x: tensor<5x30x12xf32>) -> tensor<5x30x12xf32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<5x40x12xf32>, tensor<5x40x12xi64>, tensor<5x30x12xf32>
  fuser.return %0 : tensor<5x30x12xf32>
}

// A source and a result whose first dimension is the fastest.
fuser.fusion @transposed(%s: tensor<128x500xf32>, %i: tensor<500xi64>, %x: tensor<128x99xf32>) -> tensor<128x99xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit], output_orders = [array<i64: 1, 0>]} {
  %b = fuser.broadcast %i dims [0] : tensor<500xi64> -> tensor<1x500xi64>
  %e = fuser.expand %b : tensor<1x500xi64> -> tensor<128x500xi64>
  %0 = fuser.push %s at %e into %x dim 1 reduce add : tensor<128x500xf32>, tensor<128x500xi64>, tensor<128x99xf32>
  fuser.return %0 : tensor<128x99xf32>
}

fuser.fusion @permuted(%s: tensor<50x64xf32>, %i: tensor<50xi64>, %x: tensor<64x99xf32>) -> tensor<64x99xf32> {
  %p = fuser.permute %s [1, 0] : tensor<50x64xf32> -> tensor<64x50xf32>
  %b = fuser.broadcast %i dims [0] : tensor<50xi64> -> tensor<1x50xi64>
  %e = fuser.expand %b : tensor<1x50xi64> -> tensor<64x50xi64>
  %0 = fuser.push %p at %e into %x dim 1 reduce add : tensor<64x50xf32>, tensor<64x50xi64>, tensor<64x99xf32>
  fuser.return %0 : tensor<64x99xf32>
}

fuser.fusion @half(%s: tensor<300x64xbf16>, %i: tensor<300xi64>, %x: tensor<80x64xbf16>) -> tensor<80x64xbf16> {
  %t = fuser.exp %s : tensor<300x64xbf16>
  %b = fuser.broadcast %i dims [1] : tensor<300xi64> -> tensor<300x1xi64>
  %e = fuser.expand %b : tensor<300x1xi64> -> tensor<300x64xi64>
  %0 = fuser.push %t at %e into %x dim 0 reduce add : tensor<300x64xbf16>, tensor<300x64xi64>, tensor<80x64xbf16>
  %1 = fuser.neg %0 : tensor<80x64xbf16>
  fuser.return %1 : tensor<80x64xbf16>
}

fuser.fusion @half_maxima(%s: tensor<300xf16>, %i: tensor<300xi64>, %x: tensor<80xf16>) -> tensor<80xf16> {
  %0 = fuser.push %s at %i into %x dim 0 reduce max : tensor<300xf16>, tensor<300xi64>, tensor<80xf16>
  fuser.return %0 : tensor<80xf16>
}

// A NaN and both zeros are among the elements.
fuser.fusion @minima(%s: tensor<300xf32>, %i: tensor<300xi64>, %x: tensor<80xf32>) -> tensor<80xf32> {
  %c1 = arith.constant 1.0 : f32
  %big = fuser.gt %s, %c1 : (tensor<300xf32>, f32) -> tensor<300xi1>
  %nan = arith.constant 0x7FC00000 : f32
  %t = fuser.where %big, %nan, %s : (tensor<300xi1>, f32, tensor<300xf32>) -> tensor<300xf32>
  %0 = fuser.push %t at %i into %x dim 0 reduce min : tensor<300xf32>, tensor<300xi64>, tensor<80xf32>
  fuser.return %0 : tensor<80xf32>
}

// Among them, NaN of both signs and infinities, in the source and in the operand.
fuser.fusion @infinities(%s: tensor<3000x4xf64>, %i: tensor<3000x4xi64>, %x: tensor<80x4xf64>) -> tensor<80x4xf64> {
  %nan = arith.constant 0xFFF8000000000000 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %most = arith.constant 0.9 : f64
  %half = arith.constant 0.5 : f64
  %high = fuser.gt %x, %most : (tensor<80x4xf64>, f64) -> tensor<80x4xi1>
  %y = fuser.where %high, %nan, %x : (tensor<80x4xi1>, f64, tensor<80x4xf64>) -> tensor<80x4xf64>
  %some = fuser.gt %s, %half : (tensor<3000x4xf64>, f64) -> tensor<3000x4xi1>
  %t = fuser.where %some, %infinity, %s : (tensor<3000x4xi1>, f64, tensor<3000x4xf64>) -> tensor<3000x4xf64>
  %0 = fuser.push %t at %i into %y dim 0 reduce max : tensor<3000x4xf64>, tensor<3000x4xi64>, tensor<80x4xf64>
  fuser.return %0 : tensor<80x4xf64>
}

fuser.fusion @bytes(%s: tensor<3000xi8>, %i: tensor<3000xi32>, %x: tensor<80xi8>) -> tensor<80xi8> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<3000xi8>, tensor<3000xi32>, tensor<80xi8>
  fuser.return %0 : tensor<80xi8>
}

// Each index once: which of several elements remains is not specified.
fuser.fusion @replaced(%s: tensor<1000xi1>, %x: tensor<1200xi1>) -> tensor<1200xi1> {
  %first = arith.constant 1100 : i64
  %step = arith.constant -1 : i64
  %i = fuser.iota %first, %step : i64, i64 -> tensor<1000xi64>
  %0 = fuser.push %s at %i into %x dim 0 : tensor<1000xi1>, tensor<1000xi64>, tensor<1200xi1>
  fuser.return %0 : tensor<1200xi1>
}

// Both in one buffer.
fuser.fusion @chain(%s: tensor<300x8xf32>, %i: tensor<300xi64>, %x: tensor<80x8xf32>) -> tensor<80x8xf32> {
  %b = fuser.broadcast %i dims [1] : tensor<300xi64> -> tensor<300x1xi64>
  %e = fuser.expand %b : tensor<300x1xi64> -> tensor<300x8xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %t = fuser.neg %s : tensor<300x8xf32>
  %1 = fuser.push %t at %e into %0 dim 0 reduce max : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  fuser.return %1 : tensor<80x8xf32>
}

// The operand, and the result between two pushes, have other readers. The result is returned twice.
fuser.fusion @used_again(%s: tensor<300x8xf32>, %i: tensor<300xi64>, %x: tensor<80x8xf32>) -> (tensor<80x8xf32>, tensor<80x8xf32>, tensor<80x8xf32>, tensor<80xf32>) {
  %b = fuser.broadcast %i dims [1] : tensor<300xi64> -> tensor<300x1xi64>
  %e = fuser.expand %b : tensor<300x1xi64> -> tensor<300x8xi64>
  %y = fuser.exp %x : tensor<80x8xf32>
  %0 = fuser.push %s at %e into %y dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %1 = fuser.push %s at %e into %0 dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %2 = fuser.sum %0 dims [1] : tensor<80x8xf32> -> tensor<80xf32>
  fuser.return %y, %1, %1, %2 : tensor<80x8xf32>, tensor<80x8xf32>, tensor<80x8xf32>, tensor<80xf32>
}

fuser.fusion @in_place(%s: tensor<300x8xf32>, %i: tensor<300xi64>, %x: tensor<80x8xf32>) -> (tensor<80x8xf32>, tensor<80x8xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %b = fuser.broadcast %i dims [1] : tensor<300xi64> -> tensor<300x1xi64>
  %e = fuser.expand %b : tensor<300x1xi64> -> tensor<300x8xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %1 = fuser.neg %0 : tensor<80x8xf32>
  fuser.return %0, %1 : tensor<80x8xf32>, tensor<80x8xf32>
}

// What is stored is read in the argument that is updated.
fuser.fusion @read_in_place(%i: tensor<300x8xi64>, %x: tensor<80x8xf32>) -> tensor<80x8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %s = fuser.gather %x, %i dim 0 : tensor<80x8xf32>, tensor<300x8xi64> -> tensor<300x8xf32>
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  fuser.return %0 : tensor<80x8xf32>
}

// The result is a part of another one, and reshaped.
fuser.fusion @joined(%s: tensor<300x8xf32>, %i: tensor<300xi64>, %x: tensor<80x8xf32>) -> (tensor<160x8xf32>, tensor<640xf32>, tensor<10x8xf32>) {
  %b = fuser.broadcast %i dims [1] : tensor<300xi64> -> tensor<300x1xi64>
  %e = fuser.expand %b : tensor<300x1xi64> -> tensor<300x8xi64>
  %0 = fuser.push %s at %e into %x dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %1 = fuser.cat %x, %0 dim 0 : (tensor<80x8xf32>, tensor<80x8xf32>) -> tensor<160x8xf32>
  %2 = fuser.push %s at %e into %x dim 0 reduce min : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %3 = fuser.reshape %2 : tensor<80x8xf32> -> tensor<640xf32>
  %4 = fuser.push %s at %e into %x dim 0 reduce max : tensor<300x8xf32>, tensor<300x8xi64>, tensor<80x8xf32>
  %5 = fuser.slice %4 [20, 0] [10, 8] : tensor<80x8xf32> -> tensor<10x8xf32>
  fuser.return %1, %3, %5 : tensor<160x8xf32>, tensor<640xf32>, tensor<10x8xf32>
}

// What is stored is computed from what is updated, and the result is read at the indices again.
fuser.fusion @from_itself(%s: tensor<300x8xf32>, %i: tensor<300xi64>) -> tensor<300x8xf32> {
  %b = fuser.broadcast %i dims [1] : tensor<300xi64> -> tensor<300x1xi64>
  %e = fuser.expand %b : tensor<300x1xi64> -> tensor<300x8xi64>
  %t = fuser.exp %s : tensor<300x8xf32>
  %0 = fuser.push %t at %e into %t dim 0 reduce add : tensor<300x8xf32>, tensor<300x8xi64>, tensor<300x8xf32>
  %1 = fuser.index_select %0, %i dim 0 : tensor<300x8xf32>, tensor<300xi64> -> tensor<300x8xf32>
  %2 = fuser.div %t, %1 : tensor<300x8xf32>
  fuser.return %2 : tensor<300x8xf32>
}
