// RUN: fuser-run %s --program=columns --device=host --check --scalar=seed=5 --scalar=offset=9 | FileCheck %s
// RUN: fuser-run %s --program=rows --device=host --check --scalar=seed=5 --scalar=offset=9 | FileCheck %s
// RUN: fuser-run %s --program=pairs --device=host --check --scalar=seed=5 --scalar=offset=9 --scalar=n=33 | FileCheck %s
// RUN: fuser-run %s --program=shifted --device=host --check --scalar=seed=5 --scalar=offset=9 | FileCheck %s
// RUN: fuser-run %s --program=columns --no-run --dump-after=lowering | FileCheck %s --check-prefix=ASKED
// RUN: fuser-run %s --program=rows --no-run --dump-after=lowering | FileCheck %s --check-prefix=KNOWN
// RUN: fuser-run %s --program=pairs --no-run --dump-after=lowering | FileCheck %s --check-prefix=KNOWN
// RUN: fuser-run %s --program=shifted --no-run --dump-after=lowering | FileCheck %s --check-prefix=ASKED
// Vectors of random numbers share blocks of words where their elements are neighbours from a multiple of a block's length on:
// of columns none are, of rows all, of pairs half a block is. Where the ops of the index do not show it, it is asked where it runs.

// CHECK: check {{.*}} ok
// ASKED: arith.mului_extended
// ASKED: fuser.keep_loop
// KNOWN: arith.mului_extended
// KNOWN-NOT: fuser.keep_loop
#columns = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i2 @block_x, i1 @thread_x, i3 @vectorize]>
fuser.fusion @columns(%seed: i64, %offset: i64) -> tensor<64x5xf32> {
  %0 = fuser.random_uniform %seed, %offset {domains = [#columns], inline_at = 3 : i64} : tensor<64x5xf32>
  %1 = fuser.set %0 {domains = [#columns], memory = #fuser.memory<global>} : tensor<64x5xf32>
  fuser.return %1 : tensor<64x5xf32>
}

#rows = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_x, i3 @vectorize]>
fuser.fusion @rows(%seed: i64, %offset: i64) -> (tensor<8x12xf64>, tensor<8x12xf32>)
    attributes {facts = [#fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
  %0 = fuser.random_uniform %seed, %offset {domains = [#rows], inline_at = 3 : i64} : tensor<8x12xf64>
  %1 = fuser.set %0 {domains = [#rows], memory = #fuser.memory<global>} : tensor<8x12xf64>
  %2 = fuser.random_normal %seed, %offset {domains = [#rows], inline_at = 3 : i64} : tensor<8x12xf32>
  %3 = fuser.set %2 {domains = [#rows], memory = #fuser.memory<global>} : tensor<8x12xf32>
  fuser.return %1, %3 : tensor<8x12xf64>, tensor<8x12xf32>
}

#pairs = #fuser.domain<logical = [i0, i1], split(i1, 2) -> (i2, i3), loop = [i0 @block_x, i2 @thread_x, i3 @vectorize]>
fuser.fusion @pairs(%seed: i64, %offset: i64, %n: index) -> tensor<?x6xf32> attributes {facts = [#fuser.fact<aligned 3, 16>]} {
  %0 = fuser.random_uniform %seed, %offset sizes(%n) {domains = [#pairs], inline_at = 3 : i64} : tensor<?x6xf32>
  %1 = fuser.set %0 {domains = [#pairs], memory = #fuser.memory<global>} : tensor<?x6xf32>
  fuser.return %1 : tensor<?x6xf32>
}

// A part of rows of 7, through the schedulers.
fuser.fusion @shifted(%seed: i64, %offset: i64) -> tensor<5x4xf32> attributes {facts = [#fuser.fact<aligned 2, 16>]} {
  %0 = fuser.random_uniform %seed, %offset : tensor<5x7xf32>
  %1 = fuser.slice %0 [0, 1] [5, 4] : tensor<5x7xf32> -> tensor<5x4xf32>
  fuser.return %1 : tensor<5x4xf32>
}

