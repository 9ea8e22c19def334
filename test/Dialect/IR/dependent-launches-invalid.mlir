// RUN: fuser-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected 'fuser.dependent' to be a unit attribute of a fuser.launch, or "early", but got unit}}
fuser.kernel @k(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuser.dependent} {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @k(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}
fuser.host @value(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  // expected-error @below {{expected 'fuser.dependent' to be a unit attribute of a fuser.launch, or "early", but got "late"}}
  %1 = fuser.launch @k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser.dependent = "late"} -> tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
