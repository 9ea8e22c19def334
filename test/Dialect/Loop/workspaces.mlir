// Workspaces, reads that follow writes, barriers of the grid and last blocks.
// RUN: fuser-opt %s | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// RUN: fuser-opt %s --emit-bytecode | fuser-opt | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<?xi32, global>
// CHECK-LABEL: fuser_loop.kernel @blocks(
fuser_loop.kernel @blocks(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias,
                          %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias,
                          %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [1, 1, 1] grid [symbol(%n), 1, 1] {
  // CHECK: %[[W:.*]] = fuser_loop.buffer [symbol(%{{.*}}), 2] : !fuser_loop.buffer<?x2xf32, global>
  %w = fuser_loop.buffer [symbol(%n), 2] : !fuser_loop.buffer<?x2xf32, global>
  // CHECK-NEXT: %[[C:.*]] = fuser_loop.buffer zeroed [symbol(%{{.*}})] : !fuser_loop.buffer<?xi32, global>
  %c = fuser_loop.buffer zeroed [symbol(%n)] : !c
  // CHECK-NEXT: %[[G:.*]] = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %g = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  // CHECK-NEXT: %{{.*}} = fuser_loop.buffer [] : !fuser_loop.buffer<f32, global>
  %s = fuser_loop.buffer [] : !fuser_loop.buffer<f32, global>
  // CHECK-NEXT: %[[F:.*]] = fuser_loop.buffer : !fuser_loop.buffer<i1, register>
  %f = fuser_loop.buffer : !f
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.tile %s[] = %x[%b] once [block_x] : (!x) -> !fuser_loop.buffer<f32, global> of tensor<?xf32>
    fuser_loop.tile %w[%b, 0] = %x[%b] : (!x) -> !fuser_loop.buffer<?x2xf32, global> of tensor<?xf32>
    // CHECK: fuser_loop.last_block %[[F]] = %[[C]][%{{.*}} floordiv 2] of (symbol(%{{.*}}) - 1) : !fuser_loop.buffer<i1, register>, !fuser_loop.buffer<?xi32, global>
    fuser_loop.last_block %f = %c[%b floordiv 2] of (symbol(%n) - 1) : !f, !c
    // CHECK-NEXT: fuser_loop.tile %{{.*}}[%{{.*}}] = %[[W]][%{{.*}}, 0] follows [block_x] where (%{{.*}} < symbol(%{{.*}}))
    fuser_loop.tile %y[%b] = %w[%b, 0] follows [block_x] where (%b < symbol(%n)) : (!fuser_loop.buffer<?x2xf32, global>) -> !x of tensor<?xf32>
  }
  // CHECK: %[[LAST:.*]] = fuser_loop.is_last %[[F]] : !fuser_loop.buffer<i1, register>
  %last = fuser_loop.is_last %f : !f
  // CHECK-NEXT: fuser_loop.barrier grid %[[G]]
  fuser_loop.barrier grid %g
  fuser_loop.for %u to (2) on unroll {
    // CHECK: fuser_loop.barrier grid %[[G]] if (0 < %{{.*}})
    fuser_loop.barrier grid %g if (0 < %u)
    // CHECK-NEXT: fuser_loop.tile %{{.*}} = %[[W]][0, 0] if (%[[LAST]] == 1)
    fuser_loop.tile %y[0] = %w[0, 0] if (%last == 1) : (!fuser_loop.buffer<?x2xf32, global>) -> !x of tensor<?xf32>
  }
}
