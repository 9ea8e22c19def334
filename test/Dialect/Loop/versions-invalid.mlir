// Loops that ask for two versions, and branches that have them: one fault in each kernel.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @of_threads(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected 'unswitch' on a serial or unroll loop, but got thread_x}}
  fuser_loop.for %t to (4) on thread_x unswitch {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @of_lanes(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected 'unswitch' on a serial or unroll loop, but got vectorize}}
  fuser_loop.for %v to (4) on vectorize unswitch {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @marked_late(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected no 'unswitch' from stage guarded on, where branches state it}}
  fuser_loop.for %i to (symbol(%n)) unswitch {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @versions_early(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected branches from stage accessed on, but got synchronized}}
  fuser_loop.if (3 < symbol(%n)) {
  } else {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @written_in_one(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !s
  fuser_loop.if (3 < symbol(%n)) {
    fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 : (!x) -> !s of tensor<?xf32>
  } else {
  }
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  fuser_loop.tile %x{0} by 1 align 4 = %r{0} by 1 align 4 : (!s) -> !x of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @written_in_the_other(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !s
  fuser_loop.if (3 < symbol(%n)) {
    fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 : (!x) -> !s of tensor<?xf32>
  } else {
    // expected-error @+1 {{expected a buffer that is written before it is read}}
    fuser_loop.tile %x{0} by 1 align 4 = %r{0} by 1 align 4 : (!s) -> !x of tensor<?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>

// The second version has no barrier: threads that take it do not wait.
fuser_loop.kernel @barrier_in_one(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %s{%t} by 1 align 4 = %x{%t} by 1 align 4 : (!x) -> !s of tensor<?xf32>
    fuser_loop.if (3 < symbol(%n)) {
      fuser_loop.barrier
    } else {
    }
    // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
    fuser_loop.tile %x{%t} by 1 align 4 = %s{63 - %t} by 1 align 4 : (!s) -> !x of tensor<?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

// Threads of a block part.
fuser_loop.kernel @barrier_of_some(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (64) on thread_x {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%t + 64 < symbol(%n)) {
    } else {
      // expected-error @+1 {{expected no branch around what threads execute together}}
      fuser_loop.barrier
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @arrival_in_one(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [1, 1, 1] cluster 4 {
  // expected-error @+1 {{expected an arrival at a barrier of the cluster in both versions or in none}}
  fuser_loop.if (3 < symbol(%n)) {
    fuser_loop.cluster_barrier arrive
  } else {
  }
  fuser_loop.cluster_barrier wait
}
