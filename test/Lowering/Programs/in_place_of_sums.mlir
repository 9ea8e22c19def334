// RUN: fuser-run %s --device=host --check --program=columns --sizes=64x256,256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=columns --sizes=20000x16,16 | FileCheck %s --check-prefixes=CHECK,BLOCKS
// RUN: fuser-run %s --device=host --check --program=rows --sizes=64x256,64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=3x20000,3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=both --sizes=5x5,5 | FileCheck %s
// Several threads, or blocks, read an element that one of them overwrites by its sum with others: they read it before the reduction, so
// that the checks of the host device find no race. Threads of a warp, without a barrier, read it only where they store.

// BLOCKS: kernels {{.*}}: grid 1x{{[0-9]+}}
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @columns(%x: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.sum %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.add %s, %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @rows(%x: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.add %s, %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @both(%x: tensor<?x?xi32>, %s: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) attributes {aliases = [#fuser.alias<output 1, input 1>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xi32> -> tensor<?xi32>
  %1 = fuser.add %0, %0 : tensor<?xi32>
  %2 = fuser.add %1, %s : tensor<?xi32>
  fuser.return %2, %1 : tensor<?xi32>, tensor<?xi32>
}
