// RUN: fuser-run %s --device=host --check --program=slice --sizes=8,11 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=insert --sizes=1,1,66 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=iota --sizes=9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=vector --sizes=8,12 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scatter --sizes=1,1,1,9 --range i=0:1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan --sizes=1,9 | FileCheck %s
// What depends on an index has that of its one element, whichever iteration of a consumer's loop it is computed in.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

#one = #fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>
#all = #fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>
fuser.fusion @slice(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.slice %x [5] [1] {domains = [#one], inline_at = 1 : i64} : tensor<8xf32> -> tensor<1xf32>
  %1 = fuser.add %0, %y {domains = [#all], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @insert(%x: tensor<1xf32>, %into: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.insert_slice %x into %into [0] {domains = [#one], inline_at = 1 : i64} : tensor<1xf32> into tensor<1xf32>
  %1 = fuser.add %0, %y {domains = [#all], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @iota(%y: tensor<?xf32>) -> tensor<?xf32> {
  %start = arith.constant 3.0 : f32
  %step = arith.constant 2.0 : f32
  %0 = fuser.iota %start, %step {domains = [#one], inline_at = 1 : i64} : f32, f32 -> tensor<1xf32>
  %1 = fuser.add %0, %y {domains = [#all], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// In the vectors of the consumer.
#one_of_four = #fuser.domain<logical = [b0], split(b0, 4) -> (b1, b2), loop = [b1, b2 @vectorize], allocation = [b0]>
#fours = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1, i2 @vectorize], allocation = [i0]>
fuser.fusion @vector(%x: tensor<8xf32>, %y: tensor<12xf32>) -> tensor<12xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %start = arith.constant 3.0 : f32
  %0 = fuser.slice %x [5] [1] {domains = [#one_of_four], inline_at = 2 : i64} : tensor<8xf32> -> tensor<1xf32>
  %1 = fuser.iota %start, %start {domains = [#one_of_four], inline_at = 2 : i64} : f32, f32 -> tensor<1xf32>
  %2 = fuser.mul %0, %1 {domains = [#one_of_four], inline_at = 2 : i64} : tensor<1xf32>
  %3 = fuser.add %2, %y {domains = [#fours], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<12xf32>) -> tensor<12xf32>
  fuser.return %3 : tensor<12xf32>
}

fuser.fusion @scatter(%s: tensor<1xf32>, %i: tensor<1xi64>, %x: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.scatter %s at %i into %x dim 0 {domains = [#one], inline_at = 1 : i64} : tensor<1xf32>, tensor<1xi64>, tensor<1xf32>
  %1 = fuser.add %0, %y {domains = [#all], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @scan(%x: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.cumsum %x dim 0 {domains = [#one], inline_at = 1 : i64} : tensor<1xf32> -> tensor<1xf32>
  %1 = fuser.add %0, %y {domains = [#all], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
