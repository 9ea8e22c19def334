// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | FileCheck %s
// A buffer between kernels lives from the launch that writes it to the last that reads it, in part or whole. It is freed
// before the next one is allocated, so that an allocator that works in the order of the stream gives the same memory: two
// buffers serve a chain of any length.

// CHECK-LABEL: fuser.host @chain(
// CHECK: %[[A:.*]] = fuser.launch @chain_0
// CHECK: fuser.alloc
// CHECK: %[[B:.*]] = fuser.launch @chain_1 ins(%[[A]]
// CHECK: fuser.free %[[A]]
// CHECK: fuser.alloc
// CHECK: %[[C:.*]] = fuser.launch @chain_2 ins(%[[B]]
// CHECK: fuser.free %[[B]]
// CHECK: fuser.alloc
// CHECK: %[[D:.*]] = fuser.launch @chain_3 ins(%[[C]]
// CHECK: fuser.free %[[C]]
// CHECK-NOT: fuser.free
// CHECK: fuser.return %[[D]]
fuser.fusion @chain(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.exp %x : tensor<?x8xf32>
  %1 = fuser.segment_set %0 : tensor<?x8xf32>
  %2 = fuser.neg %1 : tensor<?x8xf32>
  %3 = fuser.segment_set %2 : tensor<?x8xf32>
  %4 = fuser.exp %3 : tensor<?x8xf32>
  %5 = fuser.segment_set %4 : tensor<?x8xf32>
  %6 = fuser.neg %5 : tensor<?x8xf32>
  fuser.return %6 : tensor<?x8xf32>
}

// -----

// Parts of one buffer that two kernels read: it ends with the second.
// CHECK-LABEL: fuser.host @parts(
// CHECK: %[[T:.*]] = fuser.launch @parts_0
// CHECK: fuser.view %[[T]] [0, 0] [2, 8]
// CHECK: fuser.launch @parts_1
// CHECK-NOT: fuser.free
// CHECK: fuser.view %[[T]] [2, 0] [6, 8]
// CHECK: fuser.launch @parts_2
// CHECK: fuser.free %[[T]]
fuser.fusion @parts(%x: tensor<8x8xf32>) -> (tensor<2xf32>, tensor<6x8xf32>) {
  %0 = fuser.exp %x : tensor<8x8xf32>
  %1 = fuser.segment_set %0 : tensor<8x8xf32>
  %2 = fuser.slice %1 [0, 0] [2, 8] : tensor<8x8xf32> -> tensor<2x8xf32>
  %3 = fuser.slice %1 [2, 0] [6, 8] : tensor<8x8xf32> -> tensor<6x8xf32>
  %4 = fuser.sum %2 dims [1] : tensor<2x8xf32> -> tensor<2xf32>
  %5 = fuser.neg %3 : tensor<6x8xf32>
  fuser.return %4, %5 : tensor<2xf32>, tensor<6x8xf32>
}

// -----

// A join that another kernel reads at indices lives as one buffer.
// CHECK-LABEL: fuser.host @joined(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<8x64xf32>
// CHECK: %[[P:.*]] = fuser.place %{{.*}} into %[[T]] [0, 0]
// CHECK: %[[Q:.*]] = fuser.place %{{.*}} into %[[P]] [4, 0]
// CHECK: fuser.launch @joined_2 ins(%{{.*}}, %[[Q]]
// CHECK: fuser.free %[[Q]]
fuser.fusion @joined(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %i: tensor<8xi64>) -> tensor<8xf32> {
  %0 = fuser.exp %x : tensor<4x64xf32>
  %1 = fuser.neg %y : tensor<4x64xf32>
  %2 = fuser.segment_set %0 : tensor<4x64xf32>
  %3 = fuser.segment_set %1 : tensor<4x64xf32>
  %4 = fuser.cat %2, %3 dim 0 : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  %s = fuser.index_select %4, %i dim 0 : tensor<8x64xf32>, tensor<8xi64> -> tensor<8x64xf32>
  %5 = fuser.sum %s dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  fuser.return %5 : tensor<8xf32>
}
