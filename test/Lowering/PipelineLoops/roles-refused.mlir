// Copies that a thread of the block begins, as a producer cannot: the reason. The program computes the same.
// RUN: fuser-opt %s --fuser-lower-kernels -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-NOT: fuser_gpu.role_barrier
// CHECK-NOT: fuser_gpu.mbarrier_arrive

#t = #fuser.domain<logical = [i0, i1], split(i1, 40) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @parts_of_warps(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected whole warps of threads next to a producer, but got 40 threads: one of the other threads begins the copies}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 1024) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @all_threads(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected at most 992 threads next to a producer, but got 1024: one of the other threads begins the copies}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// Threads copy one of two buffers.
#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @threads_copy(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected bulk copies to all circular buffers of the loop by a producer: one of the other threads begins the copies}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.set %z {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf32>
  %2 = fuser.add %0, %1 {domains = [#t], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// Blocks that count who is the last.
#t = #fuser.domain<logical = [i0, i1], split(i1, outer 4) -> (i2, i3), split(i3, 64) -> (i4, i5), loop = [i0 @block_x, i2 @block_y, i4, i5 @thread_x], allocation = [i0, i1]>
#s = #fuser.domain<logical = [i0, r1], split(r1, outer 4) -> (r2, r3), split(r3, 64) -> (r4, r5), loop = [i0 @block_x, r2 @block_y, r4, r5 @thread_x]>
#y = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
fuser.kernel @grid(%x: tensor<?x1024xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected blocks that do not wait for each other next to a producer: one of the other threads begins the copies}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x1024xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#s], inline_at = 1 : i64} : tensor<?x1024xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#y], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
