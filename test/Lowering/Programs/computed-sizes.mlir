// RUN: fuser-run %s --device=host --check --program=scalar --size x=9 --scalar l=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scalar --size x=300 --scalar l=-17 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rest --size x=9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rest --size x=127 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=own --size x=9 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Extents that are expressions of scalars and of sizes: of an integer argument, with a rest, less a constant.

// CHECK: check {{.*}} ok

// IR-LABEL: gpu.func @scalar_0
// IR: %[[LOW:.*]] = arith.index_cast %{{.*}} : i64 to index
// IR: %[[SUM:.*]] = arith.addi %[[SIZE:.*]], %[[LOW]]
// IR: arith.subi %[[SUM]], %c1
fuser.fusion @scalar(%x: tensor<?xf32>, %v: f32, %l: i64) -> tensor<?xf32> {
  %low = arith.index_cast %l : i64 to index
  %0 = fuser.pad %x low [%low] high [-1] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// IR-LABEL: gpu.func @rest_0
// IR: %[[REST:.*]] = arith.remui %[[SIZE:.*]], %c4
// IR: %[[SUM:.*]] = arith.addi %[[SIZE]], %[[REST]]
// IR: arith.subi %[[SUM]], %c3
fuser.fusion @rest(%x: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %low = arith.remsi %size, %c4 : index
  %0 = fuser.pad %x low [%low] high [-3] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// The size of a value that the kernel computes, as an element.
#own = #fuser.domain<logical = [i0], loop = [i0]>
fuser.fusion @own(%x: tensor<?xf32>, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = fuser.pad %x low [1] high [2] value %v {domains = [#own], memory = #fuser.memory<global>} : tensor<?xf32>, f32 -> tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  %1 = fuser.pad %0 low [0] high [1] value %f {domains = [#own], memory = #fuser.memory<global>} : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
