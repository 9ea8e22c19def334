// A device without clusters.
// RUN: fuser-opt %s --fuser-lower-kernels="max-cluster-blocks=1" --verify-diagnostics
// RUN: fuser-opt %s --fuser-resolve-ids --fuser-build-loops="max-cluster-blocks=1" --verify-diagnostics
// RUN: fuser-opt %s --fuser-verify-schedules="max-cluster-blocks=1" --verify-diagnostics
#d = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @cluster_x]>
fuser.kernel @m(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a @cluster_x extent of at most 1, the blocks of a cluster on the target, but got 4}}
  %0 = fuser.set %x {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
