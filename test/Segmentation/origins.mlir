// Every op of a scheduled kernel has an origin: caches, clones, parts of reductions and of variances too.
// RUN: fuser-opt %s --fuser-segment-fusions=origins=true --fuser-choose-schedules="explain=false" --fuser-apply-schedules -o %t
// RUN: grep -E " = fuser\." %t | grep -vE "fuser\.(alloc|launch|free|view)" | not grep -v "fuser.origin"
// RUN: FileCheck %s < %t
// RUN: fuser-opt %examples/layer_norm.mlir --fuser-segment-fusions=origins=true --fuser-choose-schedules="explain=false" --fuser-apply-schedules -o %t.norm
// RUN: grep -E " = fuser\." %t.norm | grep -vE "fuser\.(alloc|launch|free|view)" | not grep -v "fuser.origin"
// RUN: fuser-opt %examples/softmax.mlir --fuser-segment-fusions=origins=true --fuser-choose-schedules="explain=false" --fuser-apply-schedules -o %t.softmax
// RUN: grep -E " = fuser\." %t.softmax | grep -vE "fuser\.(alloc|launch|free|view)" | not grep -v "fuser.origin"
// RUN: fuser-opt %examples/dropout.mlir --fuser-segment-fusions=origins=true --fuser-choose-schedules="explain=false" --fuser-apply-schedules -o %t.dropout
// RUN: grep -E " = fuser\." %t.dropout | grep -vE "fuser\.(alloc|launch|free|view)" | not grep -v "fuser.origin"

// Without the option there are none.
// RUN: fuser-opt %s --fuser-segment-fusions --fuser-choose-schedules="explain=false" --fuser-apply-schedules | FileCheck %s --check-prefix=NONE
// NONE-NOT: fuser.origin

// The load has those of its readers, the store that of what it stores.
// CHECK-LABEL: fuser.kernel @pointwise_0
// CHECK: fuser.set %{{.*}}fuser.origin = array<i64: 0, 1>
// CHECK: fuser.exp %{{.*}}fuser.origin = array<i64: 0>
// CHECK: fuser.add %{{.*}}fuser.origin = array<i64: 1>
// CHECK: fuser.set %{{.*}}fuser.origin = array<i64: 1>
fuser.fusion @pointwise(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.add %0, %x : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

fuser.fusion @transpose(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<512x512xf32> -> tensor<512x512xf32>
  fuser.return %0 : tensor<512x512xf32>
}

fuser.fusion @reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// The parts of a variance are numbered as the variance.
// CHECK-LABEL: fuser.kernel @inner_persistent_0
// CHECK: fuser.mean %{{.*}}fuser.origin = array<i64: 0>
// CHECK: fuser.sub %{{.*}}fuser.origin = array<i64: 0>
fuser.fusion @inner_persistent(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %var, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x64xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.sub %x, %0 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %2 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.div %1, %2 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  fuser.return %3 : tensor<?x64xf32>
}

// Both parts of a sum of columns.
// CHECK-LABEL: fuser.kernel @inner_outer_0
// CHECK: fuser.sum %{{.*}}fuser.origin = array<i64: 3>
// CHECK: fuser.sum %{{.*}}fuser.origin = array<i64: 3>
fuser.fusion @inner_outer(%x: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<64xf32>) {
  %0 = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x64xf32> -> tensor<64xf32>
  fuser.return %2, %3 : tensor<?x64xf32>, tensor<64xf32>
}
