// RUN: fuser-run %s --device=host --check --program=cat --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=permute --sizes=8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=split --sizes=1,6x6 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=reduced --sizes=8x1 | FileCheck %s
// A vector along a dimension of one element has that element in each lane, also where the operand lies in shared memory.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @cat(%arg0: tensor<1x1xf32>) -> tensor<2x1xf32> {
  %0 = fuser.broadcast %arg0 dims [2] {domains = [#fuser.domain<logical = [b0, b1, b2], loop = [b0, b1, b2], allocation = [b0, b1, b2]>], memory = #fuser.memory<shared>} : tensor<1x1xf32> -> tensor<1x1x1xf32>
  %1 = fuser.cat %0, %0 dim 0 {domains = [#fuser.domain<logical = [i0, b1, b2], split(i0, 8) -> (i3, i4), split(b2, 4) -> (b5, b6), loop = [i3, i4, b1, b5, b6 @vectorize], allocation = [i0, b1, b2]>]} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32>
  %2 = fuser.max %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1, b2], loop = [i0, r1, b2], allocation = [i0, b2]>]} : tensor<2x1x1xf32> -> tensor<2x1xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<2x1xf32>
  fuser.return %3 : tensor<2x1xf32>
}

fuser.fusion @permute(%arg0: tensor<8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.broadcast %arg0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1], allocation = [b0, i1]>], memory = #fuser.memory<shared>} : tensor<8xf32> -> tensor<1x8xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#fuser.domain<logical = [i0, b1], split(b1, 4) -> (b2, b3), split(b2, 3) -> (b4, b5), split(b3, 2) -> (b6, b7), loop = [i0, b4, b5, b6, b7 @vectorize], allocation = [i0, b1]>]} : tensor<1x8xf32> -> tensor<8x1xf32>
  %2 = fuser.mul %1, %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : (tensor<8x1xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<8x8xf32>
  fuser.return %3 : tensor<8x8xf32>
}

// The lanes are those of a split that the operand has as well.
fuser.fusion @split(%arg0: tensor<1xf32>, %arg1: tensor<?x?xf32>) -> tensor<1x1xf32> {
  %0 = fuser.neg %arg0 {domains = [#fuser.domain<logical = [b0], split(b0, 2) -> (b1, b2), loop = [b1, b2], allocation = [b0]>], memory = #fuser.memory<shared>} : tensor<1xf32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, b1], split(b0, 96) -> (b2, b3), split(b1, 2) -> (b4, b5), split(b5, 4) -> (b6, b7), split(b7, 4) -> (b8, b9), loop = [b2, b3, b4, b6, b8, b9 @vectorize], allocation = [b0, b1]>]} : tensor<1xf32> -> tensor<1x1xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0, b1], loop = [b0, b1], allocation = [b0, b1]>], memory = #fuser.memory<global>} : tensor<1x1xf32>
  fuser.return %2 : tensor<1x1xf32>
}

// What encloses the lanes is split beyond its one element itself: nothing is there to be read.
fuser.fusion @parts(%arg0: tensor<1xf32>) -> tensor<1xf32> {
  %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [b0], split(b0, 8) -> (b1, b2), split(b2, 2) -> (b3, b4), loop = [b1, b3, b4], allocation = [b0]>], memory = #fuser.memory<shared>} : tensor<1xf32>
  %1 = fuser.neg %0 {domains = [#fuser.domain<logical = [b0], split(b0, 8) -> (b1, b2), split(b1, 32) -> (b3, b4), split(b4, 3) -> (b5, b6), split(b2, 2) -> (b7, b8), loop = [b3, b5, b6, b7, b8 @vectorize], allocation = [b0]>]} : tensor<1xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>], memory = #fuser.memory<global>} : tensor<1xf32>
  fuser.return %2 : tensor<1xf32>
}

// A vector of one lane that a reduction is over.
fuser.fusion @reduced(%arg0: tensor<8x1xf32>) -> tensor<8xf32> {
  %0 = fuser.sum %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], loop = [i0, r1 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<8x1xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}
