// RUN: fuser-run %s --device=host --check --program=whole --size x=3x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts --size x=3x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows --size x=5x64 --size i=9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=count | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A vector that exists as a whole or not at all is one load; else each element has its own condition.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 32) -> (i4, i5), loop = [i0 @block_x, i4, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
#l = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @thread_x, i2 @vectorize], allocation = [i0]>

// IR-LABEL: gpu.func @whole_0
// IR: scf.if {{.*}} -> (vector<4xf32>)
// IR-NOT: memref.load {{.*}}strided
// IR: vector.load
fuser.fusion @whole(%x: tensor<?x64xf32>, %v: f32) -> tensor<?x76xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.pad %x low [1, 4] high [1, 8] value %v {domains = [#d], inline_at = 4 : i64} : tensor<?x64xf32>, f32 -> tensor<?x76xf32>
  %1 = fuser.set %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x76xf32>
  fuser.return %1 : tensor<?x76xf32>
}

// IR-LABEL: gpu.func @parts_0
// IR-COUNT-4: scf.if {{.*}} -> (f32)
fuser.fusion @parts(%x: tensor<?x64xf32>, %v: f32) -> tensor<?x72xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.pad %x low [0, 3] high [0, 5] value %v {domains = [#d], inline_at = 4 : i64} : tensor<?x64xf32>, f32 -> tensor<?x72xf32>
  %1 = fuser.set %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x72xf32>
  fuser.return %1 : tensor<?x72xf32>
}

// IR-LABEL: gpu.func @rows_0
// IR: memref.load {{.*}}xi64
// IR: scf.if {{.*}} -> (vector<4xf32>)
// IR: vector.load
fuser.fusion @rows(%x: tensor<?x64xf32>, %i: tensor<?xi64>) -> tensor<?x64xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.index_select %x, %i dim 0 {domains = [#d], inline_at = 4 : i64} : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  %1 = fuser.set %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x64xf32>
  fuser.return %1 : tensor<?x64xf32>
}

fuser.fusion @count(%a: i64, %b: i64) -> tensor<128xi32> attributes {facts = [#fuser.fact<aligned 2, 16>]} {
  %0 = fuser.iota %a, %b {domains = [#l], inline_at = 2 : i64} : i64, i64 -> tensor<128xi32>
  %1 = fuser.set %0 {domains = [#l], memory = #fuser.memory<global>} : tensor<128xi32>
  fuser.return %1 : tensor<128xi32>
}
