// RUN: fuser-opt %s --fuser-phase-preseg --fuser-segment-fusions=force-streams --fuser-settle-boundaries -o %t.mlir
// RUN: fuser-run %t.mlir --start-from=choose --device=host --no-run --dump-after=lowering | FileCheck %s --check-prefix=HOST
// RUN: fuser-run %t.mlir --start-from=choose --device=host --check | FileCheck %s
// RUN: fuser-run %t.mlir --start-from=choose --device=host --check | FileCheck %s
// S2.4: kernels on different streams have workspaces of their own, which lie in memory that other ones freed: no event is needed
// between these kernels.

// HOST: fuser.stream 1
// HOST: fuser.stream 2
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
fuser.fusion @sums(%x: tensor<513x33xf16>) -> (tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>) {
  %0 = fuser.sum %x dims [0] : tensor<513x33xf16> -> tensor<33xf16>
  %1 = fuser.segment_set %0 : tensor<33xf16>
  %2 = fuser.neg %x : tensor<513x33xf16>
  %3 = fuser.sum %2 dims [0] : tensor<513x33xf16> -> tensor<33xf16>
  %4 = fuser.segment_set %3 : tensor<33xf16>
  %5 = fuser.abs %x : tensor<513x33xf16>
  %6 = fuser.sum %5 dims [0] : tensor<513x33xf16> -> tensor<33xf16>
  %7 = fuser.segment_set %6 : tensor<33xf16>
  %8 = fuser.relu %x : tensor<513x33xf16>
  %9 = fuser.sum %8 dims [0] : tensor<513x33xf16> -> tensor<33xf16>
  fuser.return %1, %4, %7, %9 : tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>
}
