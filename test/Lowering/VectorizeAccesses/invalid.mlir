// RUN: fuser-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))"

!x = !fuser_loop.buffer<?xf32, global>
!y = !fuser_loop.buffer<?x?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @ragged(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16, %y: !y from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16, %m: index from #fuser_gpu.size<1, 0>, %n: index from #fuser_gpu.size<1, 1>)
    stage synchronized index_bits 64 threads [128, 1, 1] grid [symbol(%m), 1, 1] {
  %r = fuser_loop.buffer : !r
  fuser_loop.for %v to (4) on vectorize {
    fuser_loop.tile %r[%v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !r of (tensor<?xf32>) -> tensor<f32>
  }
  fuser_loop.for %v to (4) on vectorize {
    // expected-error @+1 {{expected a vector of 4 elements that all exist or do not, but their guard differs}}
    fuser_loop.tile %r[%v] = accumulate fuser.sum(%x[%v]) {dims = array<i64: 0>} if (%v < symbol(%n)) : (!x) -> !r of (tensor<?xf32>) -> tensor<f32>
  }
}
