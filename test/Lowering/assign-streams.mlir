// RUN: fuser-opt %s --fuser-assign-streams | FileCheck %s
// S2.4: launches on several streams wait only for launches that access the same elements.

gpu.module @k {
  gpu.func @k() kernel { gpu.return }
}

// Two independent launches and one that reads both results: stream 1 begins after the start of the call, and only the
// last launch waits for it. Buffers are allocated first, and freed after the streams have joined.
// CHECK-LABEL: fuser.host @join
// CHECK: %[[A:.*]] = fuser.alloc
// CHECK-NEXT: %[[B:.*]] = fuser.alloc
// CHECK-NEXT: %[[C:.*]] = fuser.alloc
// CHECK-NEXT: fuser.record 0
// CHECK-NEXT: %[[A1:.*]] = fuser.launch {{.*}}outs(%[[A]] : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: fuser.stream 1
// CHECK-NEXT: fuser.wait 0
// CHECK-NEXT: %[[B1:.*]] = fuser.launch {{.*}}outs(%[[B]] : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: fuser.record 1
// CHECK-NEXT: fuser.stream 0
// CHECK-NEXT: fuser.wait 1
// CHECK-NEXT: fuser.launch {{.*}}ins(%[[A1]], %[[B1]]
// CHECK-NEXT: fuser.free %[[A1]]
// CHECK-NEXT: fuser.free %[[B1]]
// CHECK-NEXT: fuser.return
fuser.host @join(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser_sched.stream = 0} -> tensor<8xf32>
  %2 = fuser.alloc() : tensor<8xf32>
  %3 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%2 : tensor<8xf32>) {fuser_sched.stream = 1} -> tensor<8xf32>
  %4 = fuser.alloc() : tensor<8xf32>
  %5 = fuser.launch @k::@k ins(%1, %3 : tensor<8xf32>, tensor<8xf32>) outs(%4 : tensor<8xf32>) -> tensor<8xf32>
  fuser.free %1 : tensor<8xf32>
  fuser.free %3 : tensor<8xf32>
  fuser.return %5 : tensor<8xf32>
}

// Parts of one buffer that do not overlap need no order; the reader of one part waits for its writer alone. The stream of
// the call waits for the ends of the others before it returns.
// CHECK-LABEL: fuser.host @parts
// CHECK: fuser.record 0
// CHECK: %[[F:.*]] = fuser.launch
// CHECK-NEXT: fuser.record 1
// CHECK: fuser.stream 1
// CHECK-NEXT: fuser.wait 0
// CHECK-NEXT: %[[S:.*]] = fuser.launch
// CHECK-NEXT: fuser.record 2
// CHECK: fuser.stream 2
// CHECK-NEXT: fuser.wait 1
// CHECK-NOT: fuser.wait
// CHECK: fuser.launch {{.*}}ins(%[[F]] :
// CHECK-NEXT: fuser.record 3
// CHECK: fuser.stream 0
// CHECK-NEXT: fuser.wait 3
// CHECK-NEXT: fuser.wait 2
// CHECK: fuser.return
fuser.host @parts(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.view %0 [0] [4] : tensor<8xf32> -> tensor<4xf32>
  %2 = fuser.launch @k::@k ins(%x : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = fuser.place %2 into %0 [0] : tensor<4xf32> into tensor<8xf32>
  %4 = fuser.view %0 [4] [4] : tensor<8xf32> -> tensor<4xf32>
  %5 = fuser.launch @k::@k ins(%x : tensor<4xf32>) outs(%4 : tensor<4xf32>) {fuser_sched.stream = 1} -> tensor<4xf32>
  %6 = fuser.place %5 into %3 [4] : tensor<4xf32> into tensor<8xf32>
  %7 = fuser.alloc() : tensor<4xf32>
  %8 = fuser.launch @k::@k ins(%2 : tensor<4xf32>) outs(%7 : tensor<4xf32>) {fuser_sched.stream = 2} -> tensor<4xf32>
  fuser.return %6, %8 : tensor<8xf32>, tensor<4xf32>
}

// What a stream has waited for implies the order of later ops: one event for two readers.
// CHECK-LABEL: fuser.host @once
// CHECK: fuser.launch
// CHECK-NEXT: fuser.record 0
// CHECK: fuser.stream 1
// CHECK-NEXT: fuser.wait 0
// CHECK-NEXT: fuser.launch
// CHECK-NEXT: fuser.launch
// CHECK-NEXT: fuser.record 1
// CHECK-NEXT: fuser.stream 0
// CHECK-NEXT: fuser.wait 1
// CHECK-NEXT: fuser.free
// CHECK-NEXT: fuser.return
fuser.host @once(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = fuser.alloc() : tensor<8xf32>
  %3 = fuser.launch @k::@k ins(%1 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {fuser_sched.stream = 1} -> tensor<8xf32>
  %4 = fuser.alloc() : tensor<8xf32>
  %5 = fuser.launch @k::@k ins(%1 : tensor<8xf32>) outs(%4 : tensor<8xf32>) {fuser_sched.stream = 1} -> tensor<8xf32>
  fuser.free %1 : tensor<8xf32>
  fuser.return %3, %5 : tensor<8xf32>, tensor<8xf32>
}

// Nothing changes without a stream other than 0, nor for a number that is no stream.
// CHECK-LABEL: fuser.host @one_stream
// CHECK-NOT: fuser.stream
// CHECK-NOT: fuser.record
fuser.host @one_stream(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser_sched.stream = 0} -> tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
fuser.host @no_stream(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser_sched.stream = 99} -> tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
