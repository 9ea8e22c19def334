// RUN: fuser-run %s --device=host --check --program=after --size x=5x12 --size i=7 --range i=-2:6 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=after --size x=5x12 --size i=0 --range i=-2:6 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=before --size x=5x12 --size i=7 --range i=-1:4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=before --size x=0x12 --size i=3 --range i=-1:4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=before --size x=1x12 --size i=1 --range i=-1:4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=computed --size x=5x12 --size i=7 --range i=-1:4 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=computed --size x=0x12 --size i=3 --range i=-1:4 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=indices --size x=5x6 --size i=3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=indices --size x=1x6 --size i=1x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=indices --size x=5x6 --size i=0x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=along --size x=5x12 --size i=5x3x4 --range i=-1:5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=along --size x=0x12 --size i=0x3x4 --range i=-1:5 | FileCheck %s --check-prefix=ONE
// Reads at indices that are data, next to reshapes.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG
// CHECK: check {{.*}}output 0: ok

// The reshape reads what was gathered.
fuser.fusion @after(%x: tensor<?x12xf32>, %i: tensor<?xi64>) -> tensor<?x3x4xf32> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<?x12xf32>, tensor<?xi64> -> tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.neg %1 : tensor<?x3x4xf32>
  fuser.return %2 : tensor<?x3x4xf32>
}

// A part of an argument is gathered.
fuser.fusion @before(%x: tensor<?x12xf32>, %i: tensor<?xi64>) -> tensor<?x?x4xf32> {
  %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %1 = fuser.index_select %0, %i dim 1 : tensor<?x3x4xf32>, tensor<?xi64> -> tensor<?x?x4xf32>
  %2 = fuser.neg %1 : tensor<?x?x4xf32>
  fuser.return %2 : tensor<?x?x4xf32>
}

// A part of a computed value is: it has to be in memory.
fuser.fusion @computed(%x: tensor<?x12xf32>, %i: tensor<?xi64>) -> tensor<?x?x4xf32> {
  %e = fuser.exp %x : tensor<?x12xf32>
  %0 = fuser.reshape %e : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %1 = fuser.index_select %0, %i dim 1 : tensor<?x3x4xf32>, tensor<?xi64> -> tensor<?x?x4xf32>
  %2 = fuser.neg %1 : tensor<?x?x4xf32>
  fuser.return %2 : tensor<?x?x4xf32>
}

// The indices are merged.
fuser.fusion @indices(%x: tensor<?x6xf32>, %i: tensor<?x4xi64>) -> tensor<?x2x2xf32> {
  %0 = fuser.reshape %i : tensor<?x4xi64> -> tensor<?xi64>
  %1 = fuser.index_select %x, %0 dim 0 : tensor<?x6xf32>, tensor<?xi64> -> tensor<?x6xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x6xf32> -> tensor<?xf32>
  %3 = fuser.reshape %2 : tensor<?xf32> -> tensor<?x2x2xf32>
  fuser.return %3 : tensor<?x2x2xf32>
}

// Along the inner part.
fuser.fusion @along(%x: tensor<?x12xf32>, %i: tensor<?x3x4xi64>) -> tensor<?x3x4xf32> {
  %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %1 = fuser.gather %0, %i dim 2 : tensor<?x3x4xf32>, tensor<?x3x4xi64> -> tensor<?x3x4xf32>
  fuser.return %1 : tensor<?x3x4xf32>
}
