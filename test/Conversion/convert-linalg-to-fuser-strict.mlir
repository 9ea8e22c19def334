// RUN: fuser-opt %s --split-input-file --fuser-convert-linalg-to-fuser=strict --verify-diagnostics
// With `strict` everything that would stay is an error.

func.func private @foreign(tensor<8xi32>) -> tensor<8xi32>
func.func @mixed(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = arith.addi %x, %x : tensor<8xi32>
  // expected-error @below {{expected an op that converts to fuser}}
  %1 = func.call @foreign(%0) : (tensor<8xi32>) -> tensor<8xi32>
  // expected-error @below {{expected an op that converts to fuser: expected a constant exponent that is not negative, but got another}}
  %2 = math.ipowi %1, %1 : tensor<8xi32>
  return %2 : tensor<8xi32>
}

// -----

func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
