// What threads do together is in no loop that they run in turn.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @unrolled(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %v: f32 from #fuser_gpu.scalar<1>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a serial loop outside of all others to be run in turn}}
  fuser_loop.for %i to (4) on unroll in_turn {
    fuser_loop.tile %y[%i] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @inner(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %v: f32 from #fuser_gpu.scalar<1>)
    stage loops index_bits 64 {
  fuser_loop.for %b to (4) on block_x {
    // expected-error @+1 {{expected a serial loop outside of all others to be run in turn}}
    fuser_loop.for %i to (4) in_turn {
      fuser_loop.tile %y[%b * 4 + %i] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
    }
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @threads(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %v: f32 from #fuser_gpu.scalar<1>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected nothing that several threads do together in a loop that is run in turn}}
  fuser_loop.for %i to (4) in_turn {
    // expected-note @+1 {{this op is in the loop}}
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %y[%i * 32 + %t] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
    }
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @barrier(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %v: f32 from #fuser_gpu.scalar<1>)
    stage synchronized index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected nothing that several threads do together in a loop that is run in turn}}
  fuser_loop.for %i to (4) in_turn {
    // expected-note @+1 {{this op is in the loop}}
    fuser_loop.barrier
    fuser_loop.tile %y[%i] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @once(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %v: f32 from #fuser_gpu.scalar<1>)
    stage launched index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected nothing that several threads do together in a loop that is run in turn}}
  fuser_loop.for %i to (4) in_turn {
    // expected-note @+1 {{this op is in the loop}}
    fuser_loop.tile %y[%i] = fuser.full(%v scalar) once [thread_x] : (f32) -> !y of (f32) -> tensor<f32>
  }
}

// -----

!y = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @combined(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !r
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !r of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected nothing that several threads do together in a loop that is run in turn}}
  fuser_loop.for %i to (4) in_turn {
    // expected-note @+1 {{this op is in the loop}}
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 1 : !r of (tensor<?xf32>) -> tensor<f32>
  }
}

// -----

fuser_loop.kernel @nothing(%n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a constraint}}
  %0 = "fuser_loop.holds"() <{constraints = #fuser_loop.constraints<[], () -> ()>}> : () -> index
}

// -----

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @lanes(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4, %v: f32 from #fuser_gpu.scalar<1>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected only tiles, their indices and branches in a vectorize loop}}
  fuser_loop.for %i to (4) on vectorize {
    %h = fuser_loop.holds (%i < 2)
    fuser_loop.tile %y[%i] = fuser.full(%v scalar) if (%h == 0) : (f32) -> !y of (f32) -> tensor<f32>
  }
}

// -----

// A read of data waits for its write, as a tile does.
!i = !fuser_loop.buffer<?xi64, global>
!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @data(%i: !i from #fuser_gpu.pointer<0> strides [1] align 8, %x: !y from #fuser_gpu.pointer<1> strides [1] align 4, %y: !y from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %w = fuser_loop.buffer [symbol(%n)] : !i
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %w[%t] = %i[%t] : (!i) -> !i of tensor<?xi64>
  }
  fuser_loop.for %t to (32) on thread_x {
    // expected-error @+1 {{expected a barrier of the block between the write of a buffer in global memory and its read}}
    %k = fuser_loop.index %w[31 - %t] : !i
    fuser_loop.barrier
    fuser_loop.tile %y[%t] = fuser.index_select(%x[%k] where (%k < symbol(%n)), %w[31 - %t]) {dim = 0 : i64} : (!y, !i) -> !y of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  }
}
