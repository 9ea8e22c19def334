// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" --verify-diagnostics

!y = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
// The workspace would need the extent before the kernel runs.
fuser_loop.kernel @scalar_extent(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 32 threads [1, 1, 1] grid [4, 1, 1] {
  %c = arith.addi %n, %n : index
  fuser_loop.for %i to (%c) {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.max() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
    // expected-error @+1 {{expected loops around a combination of blocks whose extents are over arguments of the kernel}}
    fuser_loop.combine %a by fuser.max {dims = array<i64: 0>} over [block_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
  }
}

// The blocks of a cluster would each count as one of the grid.
fuser_loop.kernel @cluster(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4 noalias)
    stage launched index_bits 32 threads [1, 1, 1] grid [4, 1, 1] cluster 2 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.max() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected no combination over blocks of the grid in a kernel with clusters}}
  fuser_loop.combine %a by fuser.max {dims = array<i64: 0>} over [block_x, cluster_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
}
