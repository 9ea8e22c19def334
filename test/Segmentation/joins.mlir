// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | fuser-opt --split-input-file | FileCheck %s
// Kernels write parts of a joined value where they belong (S2.2).

// Two direct writes, no copy: each launch depends on its own part alone.
// CHECK-LABEL: fuser.kernel @rows_0(%{{.*}}: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: fuser.relu
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @rows_1(%{{.*}}: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: fuser.exp
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.host @rows(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<8x8xf32>
// CHECK: %[[V0:.*]] = fuser.view %[[T]] [0, 0] [4, 8] : tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK: %[[R0:.*]] = fuser.launch @rows_0 ins({{.*}}) outs(%[[V0]] : {{.*}})
// CHECK: %[[P0:.*]] = fuser.place %[[R0]] into %[[T]] [0, 0]
// CHECK: %[[V1:.*]] = fuser.view %[[T]] [4, 0] [4, 8] : tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK: %[[R1:.*]] = fuser.launch @rows_1 ins({{.*}}) outs(%[[V1]] : {{.*}})
// CHECK: %[[P1:.*]] = fuser.place %[[R1]] into %[[P0]] [4, 0]
// CHECK: fuser.return %[[P1]]
fuser.fusion @rows(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.relu %a : tensor<4x8xf32>
  %1 = fuser.exp %b : tensor<4x8xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  fuser.return %2 : tensor<8x8xf32>
}

// -----

// Dynamic sizes, and what is computed once for both parts: one kernel with two outputs, each in its place. The second one
// begins where nobody knows what divides its address.
// CHECK-LABEL: fuser.kernel @shared_0(
// CHECK-SAME: facts = [#fuser.fact<aligned 2, 4>]
// CHECK: fuser.exp
// CHECK-LABEL: fuser.host @shared(
// CHECK: %[[T:.*]] = fuser.alloc(%{{.*}}) : tensor<?x3xf32>
// CHECK-DAG: fuser.view %[[T]] [0, 0] [%{{.*}}, 3]
// CHECK-DAG: fuser.view %[[T]] [%{{.*}}, 0] [%{{.*}}, 3]
// CHECK: fuser.launch @shared_0
// CHECK-NOT: fuser.launch
fuser.fusion @shared(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = fuser.exp %a : tensor<?x3xf32>
  %1 = fuser.neg %0 : tensor<?x3xf32>
  %2 = fuser.relu %0 : tensor<?x3xf32>
  %3 = fuser.cat %1, %2 dim 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  fuser.return %3 : tensor<?x3xf32>
}

// -----

// The slowest dimension is that of the output's order.
// CHECK-LABEL: fuser.kernel @columns_0(
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK-LABEL: fuser.host @columns(
// CHECK: fuser.alloc() order [1, 0] : tensor<4x24xf32>
// CHECK: fuser.view %{{.*}} [0, 0] [4, 8]
// CHECK: fuser.view %{{.*}} [0, 8] [4, 16]
fuser.fusion @columns(%a: tensor<4x8xf32>, %b: tensor<4x16xf32>) -> tensor<4x24xf32>
    attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.relu %a : tensor<4x8xf32>
  %1 = fuser.exp %b : tensor<4x16xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<4x24xf32>
  fuser.return %2 : tensor<4x24xf32>
}

// -----

// Along another dimension: one kernel.
// CHECK-LABEL: fuser.host @one_kernel(
// CHECK-NOT: fuser.view
// CHECK: fuser.launch @one_kernel_0
// CHECK-NOT: fuser.launch
fuser.fusion @one_kernel(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %0 = fuser.relu %a : tensor<4x8xf32>
  %1 = fuser.exp %b : tensor<4x8xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  fuser.return %2 : tensor<4x16xf32>
}

// -----

// Nothing to store in memory where the join is read by an op that can be fused: one kernel.
// CHECK-LABEL: fuser.host @fused(
// CHECK-NOT: fuser.place
// CHECK: fuser.launch @fused_0
// CHECK-NOT: fuser.launch
fuser.fusion @fused(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.relu %a : tensor<4x8xf32>
  %1 = fuser.exp %b : tensor<4x8xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %3 = fuser.tanh %2 : tensor<8x8xf32>
  fuser.return %3 : tensor<8x8xf32>
}

// -----

// An update in place of a part of an argument: what is not updated is not touched.
// CHECK-LABEL: fuser.kernel @update_0(%{{.*}}: tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
// CHECK-LABEL: fuser.host @update(
// CHECK-SAME: %[[CACHE:[a-z0-9]+]]: tensor<?x4x8xf32>, %[[NEW:[a-z0-9]+]]: tensor<1x4x8xf32>, %[[AT:[a-z0-9]+]]: index)
// CHECK: %[[V:.*]] = fuser.view %[[CACHE]] [%[[AT]], 0, 0] [1, 4, 8]
// CHECK: %[[R:.*]] = fuser.launch @update_0 ins(%[[NEW]] {{.*}}) outs(%[[V]]
// CHECK: %[[P:.*]] = fuser.place %[[R]] into %[[CACHE]] [%[[AT]], 0, 0]
// CHECK-NOT: fuser.copy
// CHECK: fuser.return %[[P]]
fuser.fusion @update(%cache: tensor<?x4x8xf32>, %new: tensor<1x4x8xf32>, %at: index) -> tensor<?x4x8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.exp %new : tensor<1x4x8xf32>
  %1 = fuser.insert_slice %0 into %cache [%at, 0, 0] : tensor<1x4x8xf32> into tensor<?x4x8xf32>
  fuser.return %1 : tensor<?x4x8xf32>
}

// -----

// A box in a computed value is written after the value.
// CHECK-LABEL: fuser.host @patch(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<8x8xf32>
// CHECK: %[[R0:.*]] = fuser.launch @patch_0 ins({{.*}}) outs(%[[T]] : {{.*}})
// CHECK: %[[V:.*]] = fuser.view %[[R0]] [2, 0] [3, 8]
// CHECK: %[[R1:.*]] = fuser.launch @patch_1 ins({{.*}}) outs(%[[V]] : {{.*}})
// CHECK: %[[P:.*]] = fuser.place %[[R1]] into %[[R0]] [2, 0]
// CHECK: fuser.return %[[P]]
fuser.fusion @patch(%x: tensor<8x8xf32>, %y: tensor<3x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.exp %x : tensor<8x8xf32>
  %1 = fuser.neg %y : tensor<3x8xf32>
  %2 = fuser.insert_slice %1 into %0 [2, 0] : tensor<3x8xf32> into tensor<8x8xf32>
  fuser.return %2 : tensor<8x8xf32>
}

// -----

// S2.6: two concatenations with ops between them. What reads the first one reads it with both parts in it; a part of the
// second one is placed beside what was placed before, though another kernel runs in between.
// CHECK-LABEL: fuser.host @concatenations(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<8x64xf32>
// CHECK: %[[P:.*]] = fuser.place %{{.*}} into %[[T]] [0, 0]
// CHECK: %[[Q:.*]] = fuser.place %{{.*}} into %[[P]] [4, 0]
// CHECK: %[[U:.*]] = fuser.alloc() : tensor<16xf32>
// CHECK: %[[MAX:.*]] = fuser.view %[[U]] [8] [8]
// CHECK: %[[R:.*]]:2 = fuser.launch @concatenations_2 ins(%{{.*}}, %[[Q]] : {{.*}}) outs(%{{.*}}, %[[MAX]] : {{.*}})
// CHECK: %[[V:.*]] = fuser.place %[[R]]#1 into %[[U]] [8]
// CHECK: fuser.free %[[Q]]
// CHECK: %[[TANH:.*]] = fuser.view %[[U]] [0] [8]
// CHECK: %[[S:.*]] = fuser.launch @concatenations_3 ins(%[[R]]#0 : {{.*}}) outs(%[[TANH]] : {{.*}})
// CHECK: %[[W:.*]] = fuser.place %[[S]] into %[[V]] [0]
// CHECK: fuser.return %[[W]]
fuser.fusion @concatenations(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %i: tensor<8xi64>) -> tensor<16xf32> {
  %0 = fuser.exp %x : tensor<4x64xf32>
  %1 = fuser.neg %y : tensor<4x64xf32>
  %2 = fuser.segment_set %0 : tensor<4x64xf32>
  %3 = fuser.segment_set %1 : tensor<4x64xf32>
  %4 = fuser.cat %2, %3 dim 0 : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  %s = fuser.index_select %4, %i dim 0 : tensor<8x64xf32>, tensor<8xi64> -> tensor<8x64xf32>
  %5 = fuser.sum %s dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  %6 = fuser.segment_set %5 : tensor<8xf32>
  %7 = fuser.tanh %6 : tensor<8xf32>
  %8 = fuser.max %s dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  %9 = fuser.cat %7, %8 dim 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  fuser.return %9 : tensor<16xf32>
}

// -----

// S2.1, S2.2: insertion into a fill is padding: one kernel.
// CHECK-LABEL: fuser.host @padding(
// CHECK: fuser.launch @padding_0
// CHECK-NOT: fuser.launch
fuser.fusion @padding(%y: tensor<3x8xf32>) -> tensor<8x8xf32> {
  %v = arith.constant 0.5 : f32
  %0 = fuser.full %v : f32 -> tensor<8x8xf32>
  %1 = fuser.neg %y : tensor<3x8xf32>
  %2 = fuser.insert_slice %1 into %0 [2, 0] : tensor<3x8xf32> into tensor<8x8xf32>
  fuser.return %2 : tensor<8x8xf32>
}

// -----

// A tensor, and what is computed from it and another one, joined: one kernel reads both once and stores four parts.
// CHECK-LABEL: fuser.kernel @features_0
// CHECK: -> (tensor<30x64xf32>, tensor<30x64xf32>, tensor<30x64xf32>, tensor<30x64xf32>)
// CHECK: fuser.sub
// CHECK: fuser.mul
// CHECK-LABEL: fuser.host @features(
// CHECK-COUNT-1: fuser.launch
// CHECK-NOT: fuser.launch
// CHECK: fuser.return
fuser.fusion @features(%q: tensor<30x64xf32>, %k: tensor<30x64xf32>) -> tensor<30x256xf32> {
  %0 = fuser.sub %q, %k : tensor<30x64xf32>
  %1 = fuser.mul %q, %k : tensor<30x64xf32>
  %2 = fuser.cat %q, %k, %0, %1 dim 1 : (tensor<30x64xf32>, tensor<30x64xf32>, tensor<30x64xf32>, tensor<30x64xf32>) -> tensor<30x256xf32>
  fuser.return %2 : tensor<30x256xf32>
}

// -----

// Not if one part alone is computed: a kernel reads operands at offsets.
// CHECK-LABEL: fuser.kernel @negated_0
// CHECK: fuser.cat
// CHECK-LABEL: fuser.host @negated(
fuser.fusion @negated(%q: tensor<30x64xf32>, %k: tensor<30x64xf32>) -> tensor<30x192xf32> {
  %0 = fuser.neg %q : tensor<30x64xf32>
  %1 = fuser.cat %q, %k, %0 dim 1 : (tensor<30x64xf32>, tensor<30x64xf32>, tensor<30x64xf32>) -> tensor<30x192xf32>
  fuser.return %1 : tensor<30x192xf32>
}
