// RUN: fuser-opt %s --fuser-outline-kernels --split-input-file --verify-diagnostics
// Scalars of tensors that the host cannot pass to the kernels of a loop over streams.

fuser.fusion @size_of_any_dimension(%0: tensor<?x6xi64>, %i: index) -> tensor<?x6xi64> {
  // expected-error @+1 {{expected sizes that arguments determine in a program over streams}}
  %d = tensor.dim %0, %i : tensor<?x6xi64>
  %c = arith.index_cast %d : index to i64
  %1 = fuser.mul %0, %c {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]}
     : (tensor<?x6xi64>, i64) -> tensor<?x6xi64>
  fuser.return %1 : tensor<?x6xi64>
}

// -----

fuser.fusion @element(%0: tensor<?x6xf32>, %t: tensor<4xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expected sizes that arguments determine in a program over streams}}
  %c = tensor.extract %t[%c0] : tensor<4xf32>
  %1 = fuser.mul %0, %c {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]}
     : (tensor<?x6xf32>, f32) -> tensor<?x6xf32>
  fuser.return %1 : tensor<?x6xf32>
}
