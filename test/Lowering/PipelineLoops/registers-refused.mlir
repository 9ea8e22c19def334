// Registers of roles that a kernel cannot have: the reason. A warp copies nevertheless, and the program computes the same.
// RUN: fuser-opt %s --fuser-lower-kernels -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-NOT: set_max_registers
// CHECK-NOT: min_blocks_per_sm
// CHECK-COUNT-4: fuser_gpu.mbarrier_arrive
// CHECK-NOT: set_max_registers

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @parts_of_groups(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected whole warp groups (128 threads) next to a producer with registers of its own, but got 64 threads: all threads have equal shares of the registers}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 232>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 256) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @many_registers(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected roles with at most 64512 registers, 168 for each of 384 threads, but got 66560: all threads have equal shares of the registers}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 240>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 896) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @many_threads(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected roles with at most 65536 registers, 64 for each of 1024 threads, but got 212992: all threads have equal shares of the registers}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 232>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// Producers are whole rows of 160 threads.
#t = #fuser.domain<logical = [i0, i1], split(i1, 640) -> (i2, i3), split(i3, 160) -> (i4, i5), loop = [i0 @block_x, i2, i4 @thread_y, i5 @thread_x], allocation = [i0, i1]>
fuser.kernel @rows_of_threads(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected at most 384 threads next to a producer with registers of its own, but got 640: all threads have equal shares of the registers}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 232>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
