// RUN: fuser-opt %s --split-input-file --fuser-convert-linalg-to-fuser=strict --verify-diagnostics
// With `strict` everything that would stay is an error.

func.func private @foreign(tensor<8xi32>) -> tensor<8xi32>
func.func @mixed(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = arith.addi %x, %x : tensor<8xi32>
  // expected-error @below {{expected an op that converts to fuser}}
  %1 = func.call @foreign(%0) : (tensor<8xi32>) -> tensor<8xi32>
  // expected-error @below {{expected an op that converts to fuser: 'fuser.cast' op expected elements of}}
  %2 = arith.trunci %1 : tensor<8xi32> to tensor<8xi4>
  // expected-error @below {{expected an op that converts to fuser: 'fuser.cast' op expected elements of}}
  %3 = arith.extsi %2 : tensor<8xi4> to tensor<8xi32>
  return %3 : tensor<8xi32>
}

// -----

func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
