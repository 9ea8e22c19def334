// RUN: fuser-opt %s --fuser-hoist-slices | FileCheck %s
// RUN: fuser-opt %s --fuser-hoist-slices | fuser-opt --fuser-hoist-slices | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=first --sizes=10 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=chain --sizes=6x9,9,6x9 --scalar o=2 --scalar n=4 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=chain --sizes=3x2,2,3x2 --scalar o=2 --scalar n=0 | FileCheck %s --check-prefix=CHECKED
// A slice moves up through pointwise ops that nothing else reads: a kernel touches what it needs alone (S2.4).

// CHECKED: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @first
// CHECK: %[[S:.*]] = fuser.slice %{{.*}} [0] [5] : tensor<10xbf16> -> tensor<5xbf16>
// CHECK: %[[N:.*]] = fuser.neg %[[S]] : tensor<5xbf16>
// CHECK: fuser.return %[[N]]
fuser.fusion @first(%x: tensor<10xbf16>) -> tensor<5xbf16> {
  %0 = fuser.neg %x : tensor<10xbf16>
  %1 = fuser.slice %0 [0] [5] : tensor<10xbf16> -> tensor<5xbf16>
  fuser.return %1 : tensor<5xbf16>
}

// Through several ops, with a broadcast operand, a step, and offsets and sizes of the call.
// CHECK-LABEL: fuser.fusion @chain(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>, %[[O:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index)
// CHECK-DAG: %[[ROW:.*]] = fuser.broadcast %[[B]]
// CHECK-DAG: %[[XS:.*]] = fuser.slice %[[X]] [0, %[[O]]] [2, %[[N]]] strides [2, 1] : tensor<?x?xf32> -> tensor<2x?xf32>
// CHECK-DAG: %[[RS:.*]] = fuser.slice %[[ROW]] [0, %[[O]]] [1, %[[N]]] : tensor<1x?xf32> -> tensor<1x?xf32>
// CHECK-DAG: %[[YS:.*]] = fuser.slice %[[Y]] [0, %[[O]]] [2, %[[N]]] strides [2, 1] : tensor<?x?xf32> -> tensor<2x?xf32>
// CHECK-DAG: %[[SUM:.*]] = fuser.add %[[XS]], %[[RS]] : (tensor<2x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
// CHECK: fuser.mul %[[SUM]], %[[YS]]
fuser.fusion @chain(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %y: tensor<?x?xf32>, %o: index, %n: index) -> tensor<2x?xf32> {
  %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.mul %1, %y : tensor<?x?xf32>
  %3 = fuser.slice %2 [0, %o] [2, %n] strides [2, 1] : tensor<?x?xf32> -> tensor<2x?xf32>
  fuser.return %3 : tensor<2x?xf32>
}

// Not where all of it is read elsewhere, and not past a mark or a reduction.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: fuser.exp %{{.*}} : tensor<8xf32>
// CHECK: fuser.slice
// CHECK: fuser.segment_set %{{.*}} : tensor<8xf32>
// CHECK: fuser.slice
fuser.fusion @stays(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = fuser.exp %x : tensor<8xf32>
  %1 = fuser.slice %0 [1] [2] : tensor<8xf32> -> tensor<2xf32>
  %2 = fuser.segment_set %x : tensor<8xf32>
  %3 = fuser.slice %2 [1] [3] : tensor<8xf32> -> tensor<3xf32>
  fuser.return %0, %1, %3 : tensor<8xf32>, tensor<2xf32>, tensor<3xf32>
}
