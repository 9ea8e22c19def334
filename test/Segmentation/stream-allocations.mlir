// RUN: fuser-opt %s --fuser-verify-distribution --fuser-phase-segmentation | FileCheck %s
// RUN: fuser-run %s --start-from=segmentation --program=inside --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --start-from=segmentation --program=outside --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --start-from=segmentation --program=transposed --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --start-from=segmentation --program=between_loops --device=host --check | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: check {{.*}} ok
// S4.8: outlining reads the final allocation domains. Programs are the same but for the allocation of %1, which is not that
// which preseg chooses in each.

// CHECK-LABEL: fuser.host @inside
// CHECK: fuser.alloc() : tensor<6x8xf32>
// CHECK-NOT: fuser.alloc
// CHECK: fuser.for
// CHECK: %[[PART:.*]] = fuser.alloc() : tensor<3x8xf32>
// CHECK: fuser.launch @inside_0_0 {{.*}} outs(%[[PART]] :
fuser.fusion @inside(%0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i2, i3, i1]>]} : tensor<6x8xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i2, i3, i1]>]} : tensor<6x8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  fuser.return %3 : tensor<6x8xf32>
}

// The whole of %2 is allocated before the loop, and each iteration writes and reads its slice.
// CHECK-LABEL: fuser.host @outside
// CHECK-DAG: fuser.alloc() : tensor<6x8xf32>
// CHECK-DAG: fuser.alloc() : tensor<6x8xf32>
// CHECK: fuser.for
// CHECK-NOT: fuser.alloc
// CHECK: fuser.launch @outside_0_0
// CHECK: fuser.launch @outside_0_1
// CHECK: }
// CHECK: fuser.free
fuser.fusion @outside(%0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i2, i3, i1]>]} : tensor<6x8xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  fuser.return %3 : tensor<6x8xf32>
}

// The order of the part is that of the allocation.
// CHECK-LABEL: fuser.host @transposed
// CHECK: fuser.for
// CHECK: fuser.alloc() order [1, 0] : tensor<3x8xf32>
fuser.fusion @transposed(%0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i1, i2, i3]>]} : tensor<6x8xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i1, i2, i3]>]} : tensor<6x8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  fuser.return %3 : tensor<6x8xf32>
}

// Of two streams, the allocation has the outer one: between the two loops. The slice of the inner iteration is strided.
// CHECK-LABEL: fuser.host @between_loops
// CHECK: fuser.for
// CHECK: %[[ROWS:.*]] = fuser.alloc() : tensor<3x8xf32>
// CHECK: fuser.for
// CHECK: fuser.view %[[ROWS]] [0, %{{.*}}] [3, 2]
// CHECK: }
fuser.fusion @between_loops(%0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 4) -> (i4, i5), loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i2, i3, i4, i5]>]} : tensor<6x8xf32>
  %2 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 4) -> (i4, i5), loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i2, i3, i1]>]} : tensor<6x8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 4) -> (i4, i5), loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<6x8xf32>
  fuser.return %3 : tensor<6x8xf32>
}
