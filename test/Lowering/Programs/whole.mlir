// RUN: fuser-run %s --device=host --check --program=scatter --sizes=30x40,30x40,33x129 --range i=-2:131 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=attention --sizes=2x9x16,2x33x16,2x33x140 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scatter_in_vectors --sizes=5,5,8 --range i=0:8 | FileCheck %s
// RUN: not fuser-run %s --device=host --program=attention --sizes=2x9x16,2x33x16,2x33x0 2>&1 | FileCheck %s --check-prefix=EMPTY
// Ops that read dimensions whole have loops of their own in each thread.

// CHECK: check {{.*}} ok
// EMPTY: expected 1 <= v.size[2]
fuser.fusion @scatter(%s: tensor<?x?xf32>, %i: tensor<?x?xi64>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.scatter %s at %i into %x dim 1 : tensor<?x?xf32>, tensor<?x?xi64>, tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// The log-sum-exp has an element for each row: the first thread of the row's block stores it.
fuser.fusion @attention(%q: tensor<?x?x?xbf16>, %k: tensor<?x?x?xbf16>, %v: tensor<?x?x?xbf16>) -> (tensor<?x?x?xbf16>, tensor<?x?xf32>) {
  %0, %1 = fuser.sdpa %q, %k, %v {causal} : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>, tensor<?x?x?xbf16> -> tensor<?x?x?xbf16>, tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x?x?xbf16>, tensor<?x?xf32>
}

// Elements of a vector are read one by one: only what is stored has to be aligned.
#fours = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @thread_x, i2 @vectorize], allocation = [i0]>
fuser.fusion @scatter_in_vectors(%s: tensor<5xf32>, %i: tensor<5xi64>, %x: tensor<8xf32>) -> tensor<8xf32> attributes {facts = [#fuser.fact<aligned 3, 16>]} {
  %0 = fuser.scatter %s at %i into %x dim 0 {domains = [#fours], memory = #fuser.memory<global>} : tensor<5xf32>, tensor<5xi64>, tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}
