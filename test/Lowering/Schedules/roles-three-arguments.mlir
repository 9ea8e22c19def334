// RUN: fuser-run %s --device=host --check --sizes=40x96,40x96,40x96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x8,3x8,3x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1024,1x1024,1x1024 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Three arguments of different types in one loop: three arrivals of a phase, and one release of all three stages.

// CHECK: check {{.*}} ok
// IR-COUNT-3: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 3
// IR-COUNT-3: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 32
// IR-COUNT-3: fuser_gpu.copy_bulk
// IR: } else {
// IR-NOT: fuser_gpu.copy_bulk
// IR: fuser_gpu.mbarrier_arrive
// IR-NOT: fuser_gpu.mbarrier_arrive
#a = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @sum(%x: tensor<?x?xf32>, %z: tensor<?x?xi64>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %x {domains = [#a], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.set %z {domains = [#a], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xi64>
  %2 = fuser.set %w {domains = [#a], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %3 = fuser.cast %1 {domains = [#a], inline_at = 3 : i64} : tensor<?x?xi64> to tensor<?x?xf32>
  %4 = fuser.add %0, %3 {domains = [#a], inline_at = 3 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = fuser.add %4, %2 {domains = [#a], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}
