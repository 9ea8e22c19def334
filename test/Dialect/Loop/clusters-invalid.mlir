// One fault in each kernel.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!y = !fuser_loop.buffer<?xf32, global>
// expected-error @+1 {{expected a cluster of at least 2 blocks, from stage launched on, but got 1 in stage launched}}
fuser_loop.kernel @small(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage launched index_bits 64 threads [1, 1, 1] grid [1, 1, 1] cluster 1 {
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
fuser_loop.kernel @extent(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a constant extent or a bound of a loop on cluster_x}}
  fuser_loop.for %c to (symbol(%n)) on cluster_x {
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
fuser_loop.kernel @space(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage launched index_bits 64 threads [1, 1, 1] grid [1, 1, 1] cluster 2 {
  // expected-error @+1 {{expected a distributed buffer to be in shared memory, with the blocks of a cluster as its first dimension}}
  %d = fuser_loop.buffer distributed : !fuser_loop.buffer<2xf32, register>
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
fuser_loop.kernel @blocks(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage launched index_bits 64 threads [1, 1, 1] grid [1, 1, 1] cluster 2 {
  // expected-error @+1 {{expected the blocks of a cluster as the first dimension of a distributed buffer, 2, but got '!fuser_loop.buffer<4x2xf32, shared>'}}
  %d = fuser_loop.buffer distributed : !fuser_loop.buffer<4x2xf32, shared>
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
fuser_loop.kernel @no_cluster(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected barriers of a cluster in a kernel with clusters, from stage synchronized on, but got synchronized}}
  fuser_loop.cluster_barrier both
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
fuser_loop.kernel @twice(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 64 threads [1, 1, 1] grid [1, 1, 1] cluster 2 {
  fuser_loop.cluster_barrier arrive
  // expected-error @+1 {{expected an arrival and a wait in turn, but got another arrival}}
  fuser_loop.cluster_barrier both
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
// expected-error @+1 {{expected a wait after the last arrival at a barrier of the cluster}}
fuser_loop.kernel @no_wait(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 64 threads [1, 1, 1] grid [1, 1, 1] cluster 2 {
  fuser_loop.cluster_barrier arrive
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
!d = !fuser_loop.buffer<2x2xf32, shared>
fuser_loop.kernel @not_begun(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 64 threads [2, 1, 1] grid [1, 1, 1] cluster 2 {
  %d = fuser_loop.buffer distributed at 0 : !d
  fuser_loop.for %c to (2) on cluster_x {
    fuser_loop.for %t to (2) on thread_x {
      // expected-error @+1 {{expected a barrier of the cluster before the first access to a distributed buffer}}
      fuser_loop.tile %d[%t, %c] = %y[%t] : (!y) -> !d of tensor<?xf32>
    }
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
!d = !fuser_loop.buffer<2x2xf32, shared>
// expected-error @+1 {{expected a barrier of the cluster after the last write to a distributed buffer}}
fuser_loop.kernel @not_received(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 64 threads [2, 1, 1] grid [1, 1, 1] cluster 2 {
  // expected-note @+1 {{the buffer is here}}
  %d = fuser_loop.buffer distributed at 0 : !d
  fuser_loop.cluster_barrier both
  fuser_loop.for %c to (2) on cluster_x {
    fuser_loop.for %t to (2) on thread_x {
      fuser_loop.tile %d[%t, %c] = %y[%t] : (!y) -> !d of tensor<?xf32>
    }
  }
  fuser_loop.barrier
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
!d = !fuser_loop.buffer<2x2xf32, shared>
fuser_loop.kernel @block_barrier(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 64 threads [2, 1, 1] grid [1, 1, 1] cluster 2 {
  // expected-note @+1 {{the buffer is here}}
  %d = fuser_loop.buffer distributed at 0 : !d
  fuser_loop.cluster_barrier both
  fuser_loop.for %c to (2) on cluster_x {
    fuser_loop.for %t to (2) on thread_x {
      fuser_loop.tile %d[%t, %c] = %y[%t] : (!y) -> !d of tensor<?xf32>
      fuser_loop.barrier
      // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
      fuser_loop.tile %y[%t] = %d[%c, %t] : (!d) -> !y of tensor<f32>
    }
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
!d = !fuser_loop.buffer<2x2xf32, shared>
fuser_loop.kernel @no_block(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage accessed index_bits 64 threads [2, 1, 1] grid [1, 1, 1] cluster 2 {
  %d = fuser_loop.buffer distributed at 0 : !d
  fuser_loop.cluster_barrier both
  fuser_loop.for %c to (2) on cluster_x {
    // expected-error @+1 {{expected a block of the cluster and an offset of '!fuser_loop.buffer<2x2xf32, shared>', but got 1}}
    fuser_loop.tile %d{%c} by 1 align 4 = %y{%c} by 1 align 4 : (!y) -> !d of tensor<?xf32>
  }
}

// -----

// Blocks of one cluster may have other indices.
!y = !fuser_loop.buffer<?xf32, global>
fuser_loop.kernel @barrier_in_branch_of_blocks(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] cluster 2 {
  fuser_loop.for %c to (2) on cluster_x {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%c < symbol(%n)) {
      // expected-error @+1 {{expected no branch around what threads execute together, unless all of them take it}}
      fuser_loop.cluster_barrier both
    }
  }
}
