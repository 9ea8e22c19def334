// RUN: fuser-run %s --device=host --check --program=one | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_by_one | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=accumulated --sizes=1,1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=accumulated --sizes=1,3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=accumulated --sizes=1,300000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=accumulated_max --sizes=1x1,40x50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=part --sizes=4,1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --sizes=1,1x5000 | FileCheck %s
// One thread reads and overwrites a single element: the checks of the host device find no race.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @one(%x: tensor<1xf32>) -> tensor<1xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.neg %x : tensor<1xf32>
  fuser.return %0 : tensor<1xf32>
}

fuser.fusion @one_by_one(%x: tensor<1x1xbf16>) -> tensor<1x1xbf16> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.neg %x : tensor<1x1xbf16>
  fuser.return %0 : tensor<1x1xbf16>
}

// All threads of all blocks read the element, and one of them overwrites it: they read it before the reduction.
fuser.fusion @accumulated(%s: tensor<1xf32>, %x: tensor<?xf32>) -> tensor<1xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0] : tensor<f32> -> tensor<1xf32>
  %2 = fuser.add %s, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  fuser.return %2 : tensor<1xf32>
}

fuser.fusion @accumulated_max(%s: tensor<1x1xbf16>, %x: tensor<?x?xbf16>) -> tensor<1x1xbf16> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.max %x dims [0, 1] : tensor<?x?xbf16> -> tensor<bf16>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<bf16> -> tensor<1x1xbf16>
  %2 = fuser.maximum %s, %1 : (tensor<1x1xbf16>, tensor<1x1xbf16>) -> tensor<1x1xbf16>
  fuser.return %2 : tensor<1x1xbf16>
}

fuser.fusion @part(%s: tensor<4xf32>, %x: tensor<?xf32>) -> tensor<4xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.slice %s [1] [1] : tensor<4xf32> -> tensor<1xf32>
  %1 = fuser.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %2 = fuser.broadcast %1 dims [0] : tensor<f32> -> tensor<1xf32>
  %3 = fuser.add %0, %2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %4 = fuser.insert_slice %3 into %s [1] : tensor<1xf32> into tensor<4xf32>
  fuser.return %4 : tensor<4xf32>
}

fuser.fusion @rows(%s: tensor<1xf32>, %x: tensor<1x?xf32>) -> tensor<1xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.sum %x dims [1] : tensor<1x?xf32> -> tensor<1xf32>
  %1 = fuser.add %s, %0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  fuser.return %1 : tensor<1xf32>
}
