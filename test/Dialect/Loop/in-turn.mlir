// Loops that the threads of the grid run in turn, and constraints as indices.
// RUN: fuser-opt %s | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s

!y = !fuser_loop.buffer<?x20xf32, global>

// One iteration is no copy: one thread runs it.
// CHECK-LABEL: fuser_loop.kernel @k(
// CHECK: fuser_loop.for %[[I:.*]] to (symbol(%[[N:.*]]) * 4) in_turn {
// CHECK: %[[AFTER:.*]] = fuser_loop.holds (%[[I]] mod 4 - 2 < 2)
// CHECK: %[[INSIDE:.*]] = fuser_loop.holds (%[[I]] floordiv 4 < symbol(%[[N]]), %[[AFTER]] == 0)
// CHECK: fuser_loop.tile {{.*}}[%[[I]] floordiv 4, %[[AFTER]] * 16 + %[[I]] mod 4] = {{.*}} if (%[[INSIDE]] == 0)
// CHECK: fuser_loop.for %{{.*}} to (1) in_turn {
fuser_loop.kernel @k(%y: !y from #fuser_gpu.pointer<0> strides [20, 1] align 4, %v: f32 from #fuser_gpu.scalar<1>, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  fuser_loop.for %i to (symbol(%n) * 4) in_turn {
    %after = fuser_loop.holds (%i mod 4 - 2 < 2)
    %inside = fuser_loop.holds (%i floordiv 4 < symbol(%n), %after == 0)
    fuser_loop.tile %y[%i floordiv 4, %after * 16 + %i mod 4] = fuser.full(%v scalar) if (%inside == 0) : (f32) -> !y of (f32) -> tensor<f32>
  }
  fuser_loop.for %i to (1) in_turn {
    fuser_loop.tile %y[%i, 0] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
  }
}
