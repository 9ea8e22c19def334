// What is written by hand, or edited, must fit the op.
// RUN: fuser-opt %s --split-input-file --fuser-lower-kernels --verify-diagnostics

fuser.kernel @number_of_loops(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected 'fuser_gpu.ids' to number 1 loops, but got 2}}
  %0 = fuser.exp %x {memory = #fuser.memory<global>, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @broadcasts(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  // expected-error @+1 {{expected 'fuser_gpu.ids' to list the broadcasts of the op: 1 ids}}
  %0 = fuser.exp %x {memory = #fuser.memory<global>, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8x1xf32>
  fuser.return %0 : tensor<8x1xf32>
}

// -----

fuser.kernel @symbols(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  // expected-error @+1 {{expected 'fuser_gpu.ids' to have sizes of arguments as symbols}}
  %0 = fuser.exp %x {memory = #fuser.memory<global>, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [1], extents = ()[s0] -> (s0), symbols = [#fuser_gpu.size<3, 0>], replicated = [], once = []>} : tensor<8x1xf32>
  fuser.return %0 : tensor<8x1xf32>
}

// -----

fuser.kernel @loops_around(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = fuser.exp %x {memory = #fuser.memory<global>, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8x4xf32>
  // expected-error @+1 {{expected ops that share loop 1 to share the loops around it, and its parallel type}}
  %1 = fuser.tanh %x {memory = #fuser.memory<global>, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [2, 1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8x4xf32>
  fuser.return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// expected-error @+2 {{expected 'extents' to have 1 results, but got 0}}
fuser.kernel @extents(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %0 = fuser.exp %x {fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [1], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8x1xf32>
  fuser.return %0 : tensor<8x1xf32>
}

// -----

// expected-error @+2 {{expected 'once' to hold ids of 'broadcasts', but got 0}}
fuser.kernel @once(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %0 = fuser.exp %x {fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0, 1], broadcasts = [1], extents = () -> (1), symbols = [], replicated = [], once = [0]>} : tensor<8x1xf32>
  fuser.return %0 : tensor<8x1xf32>
}

// -----

// expected-error @+2 {{expected 'replicated' to hold positions of the 1 loops, but got 1}}
fuser.kernel @replicated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.exp %x {fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0], broadcasts = [], extents = () -> (), symbols = [], replicated = [1], once = []>} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @not_ids(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected 'fuser_gpu.ids' to be a #fuser_gpu.resolved_ids, but got 3}}
  %0 = fuser.exp %x {fuser_gpu.ids = 3 : i64} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @inlined(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected 'fuser_gpu.ids' to give its first 1 loops ('inline_at') the numbers of its consumer's}}
  %0 = fuser.exp %x {inline_at = 1, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [0], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.tanh %0 {memory = #fuser.memory<global>, fuser_gpu.ids = #fuser_gpu.resolved_ids<loops = [1], broadcasts = [], extents = () -> (), symbols = [], replicated = [], once = []>} : tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
