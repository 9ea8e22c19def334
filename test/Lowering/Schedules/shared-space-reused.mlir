// RUN: fuser-run %s --device=host --check --sizes=256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2049 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Three rows in shared memory, each read by other threads than those that wrote it. The third lies where the first was,
// which nobody reads any more behind the barrier before it.

// CHECK: check {{.*}} ok
// IR-DAG: memref.view %{{.*}}[%c0][]
// IR-DAG: memref.view %{{.*}}[%c1024][]
// IR-NOT: memref.view
// IR-COUNT-3: gpu.barrier
// IR-NOT: gpu.barrier
#a = #fuser.domain<logical = [i0], split(i0, 256) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0], split(i0, 256) -> (i1, i2), split(i2, 4) -> (i3, i4), loop = [i1 @block_x, i4, i3 @thread_x], allocation = [i0]>
fuser.fusion @chain(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {domains = [#a], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#b], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?xf32>
  %2 = fuser.neg %1 {domains = [#a], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?xf32>
  %3 = fuser.abs %2 {domains = [#b], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
