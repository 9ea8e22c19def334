// RUN: fuser-run %s --device=host --check --program=one | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=one_by_one | FileCheck %s
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
