// Scans over blocks that cannot be chained.
// RUN: fuser-opt %s --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))"

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @scan_in_loop(%n: index from #fuser_gpu.scalar<0>) stage launched index_bits 64 threads [32, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %a = fuser_loop.buffer : !a
    %p = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
    // expected-error @+1 {{expected no loop around a scan of blocks but those on hardware}}
    fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [block_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
  }
}
