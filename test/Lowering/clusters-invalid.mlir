// RUN: fuser-opt %s --fuser-lower-kernels --split-input-file --verify-diagnostics
// What the blocks of a cluster cannot run.

// More blocks than every device with clusters can launch.
#d = #fuser.domain<logical = [i0], split(i0, 16) -> (i1, i2), loop = [i1 @block_x, i2 @cluster_x]>
fuser.kernel @large(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a @cluster_x extent that is a constant from 1 to 8, but got 16}}
  %0 = fuser.set %x {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

#d = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @cluster_x, i2 @thread_x]>
fuser.kernel @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a @cluster_x extent that is a constant from 1 to 8, but got}}
  %0 = fuser.set %x {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// A value in registers is read where it was computed.
#d = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @cluster_x]>
#e = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2]>
fuser.kernel @elsewhere(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a value in registers to be read where it was computed, but its id 2 is @cluster_x and the consumer's is not}}
  %0 = fuser.neg %x {domains = [#d], inline_at = 1 : i64} : tensor<?xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.set %0 {domains = [#e], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// Blocks of the grid exchange nothing in a kernel with clusters: no reduction over them,
#d = #fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), split(r1, 4) -> (r4, r5), loop = [i2 @block_x, i3 @cluster_x, r5 @block_y, r4]>
#e = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @cluster_x]>
// expected-error @+1 {{expected elementwise ops, values in registers or shared memory and reductions within a cluster in a kernel with loops on @cluster_x, but got others}}
fuser.kernel @grid_reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#e], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// and no value in global memory between ops.
#d = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @cluster_x]>
// expected-error @+1 {{expected elementwise ops, values in registers or shared memory and reductions within a cluster in a kernel with loops on @cluster_x, but got others}}
fuser.kernel @workspace(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.neg %x {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  %1 = fuser.set %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// Nor does a scan whose elements are split over threads.
#d = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i2 @block_x, i3 @cluster_x, i1 @thread_x]>
// expected-error @+1 {{expected elementwise ops, values in registers or shared memory and reductions within a cluster in a kernel with loops on @cluster_x, but got others}}
fuser.kernel @tile(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = fuser.cumsum %x dim 1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x64xf32> -> tensor<?x64xf32>
  fuser.return %0 : tensor<?x64xf32>
}
