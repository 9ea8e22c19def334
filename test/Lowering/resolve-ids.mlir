// fuser-resolve-ids writes which loops ops share and what broadcasts stand for; lowering reads it (ADR 48).
// RUN: fuser-opt %s --split-input-file --fuser-resolve-ids | FileCheck %s
// Lowering the resolved text gives the same as lowering at once.
// RUN: fuser-opt %s --split-input-file --fuser-lower-kernels --canonicalize --cse -o %t.once
// RUN: fuser-opt %s --split-input-file --fuser-resolve-ids \
// RUN:   | fuser-opt --split-input-file --fuser-lower-kernels --canonicalize --cse -o %t.resumed
// RUN: diff %t.once %t.resumed

// The load of a row of one element shares the loop over the columns: it is concrete there, and its
// value in registers is read by all. The loop of one index on @thread_y is executed by all threads.
// CHECK-LABEL: fuser.kernel @row
// CHECK: fuser.set %b
// CHECK-SAME: fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [1], extents = ()[s0] -> (s0), symbols = [#fuser_gpu.size<0, 1>], replicated = [], once = []>
// CHECK: fuser.add
// CHECK-SAME: fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>
fuser.kernel @row(%x: tensor<?x?xf32>, %b: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %b {domains = [#fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1]>], inline_at = 2} : tensor<?x1xf32>
  %1 = fuser.add %x, %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// What is stored under a concrete id is stored once.
// CHECK-LABEL: fuser.kernel @stored
// CHECK: fuser.exp
// CHECK-SAME: #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [1], extents = ()[s0] -> (s0), symbols = [#fuser_gpu.size<1, 1>], replicated = [], once = [1]>
fuser.kernel @stored(%b: tensor<?x1xf32>, %x: tensor<?x?xf32>) -> (tensor<?x1xf32>, tensor<?x?xf32>)
    attributes {facts = [#fuser.fact<at_least 1[1], 1>]} {
  %0 = fuser.exp %b {domains = [#fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1]>], inline_at = 2, memory = #fuser.memory<global>} : tensor<?x1xf32>
  %1 = fuser.add %x, %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x1xf32>, tensor<?x?xf32>
}

// -----

// A loop over one index on threads, of which others have 32: all of them execute it. Its dimension
// is a unit: the extent is 1.
// CHECK-LABEL: fuser.kernel @all_threads
// CHECK: #fuser_gpu.resolved_ids<loops = [0], broadcasts = [0], extents = () -> (1), symbols = [], replicated = [0], once = []>
fuser.kernel @all_threads(%b: tensor<1xf32>, %x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = fuser.exp %b {domains = [#fuser.domain<logical = [b0], loop = [b0 @thread_x]>]} : tensor<1xf32>
  %1 = fuser.add %x, %0 {domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x]>], memory = #fuser.memory<global>} : (tensor<32xf32>, tensor<1xf32>) -> tensor<32xf32>
  fuser.return %1 : tensor<32xf32>
}
