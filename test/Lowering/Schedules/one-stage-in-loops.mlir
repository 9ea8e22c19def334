// RUN: fuser-run %s --program=other_threads --device=host --check --sizes=21x100,21x100 | FileCheck %s
// RUN: fuser-run %s --program=other_threads --device=host --check --sizes=1x1,1x1 | FileCheck %s
// RUN: fuser-run %s --program=own_element --device=host --check --sizes=21x100 | FileCheck %s
// RUN: fuser-run %s --program=own_element --device=host --check --sizes=0x3 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Buffers of one stage in a loop: rows that other threads read, of two arguments, behind one wait for both.

// CHECK: check {{.*}} ok
// IR-LABEL: gpu.func @other_threads
// IR: scf.for
// IR: fuser_gpu.copy_async 1 of
// IR: fuser_gpu.copy_commit
// IR: fuser_gpu.copy_async 1 of
// IR: fuser_gpu.copy_commit
// IR: fuser_gpu.copy_wait 0
// IR-NEXT: gpu.barrier
// IR-NOT: fuser_gpu.copy_wait
// IR: gpu.barrier
// IR-NOT: fuser_gpu.copy_wait
// IR: gpu.return
#t = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 32) -> (i4, i5), loop = [i2 @block_x, i3, i4, i5 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 4) -> (i4, i5), loop = [i2 @block_x, i3, i5, i4 @thread_x], allocation = [i0, i1]>
fuser.fusion @other_threads(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 128>, #fuser.fact<at_most 1[1], 128>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 1 : i64} : tensor<?x?xf32>
  %1 = fuser.set %y {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 1 : i64} : tensor<?x?xf32>
  %2 = fuser.add %0, %1 {domains = [#r], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// All loops are shared: a thread copies one element, and waits for it.
// IR-LABEL: gpu.func @own_element
// IR: fuser_gpu.copy_async 1 of
// IR-NOT: gpu.barrier
// IR: fuser_gpu.copy_commit
// IR-NEXT: fuser_gpu.copy_wait 0
// IR-NOT: gpu.barrier
// IR: gpu.return
fuser.fusion @own_element(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 4 : i64, fuser.stages = 1 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
