// RUN: fuser-opt %s --split-input-file --verify-diagnostics

// HO11
fuser.host @stream(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a stream from 0 to 63, but got 64}}
  fuser.stream 64
  fuser.return %x : tensor<8xf32>
}

// -----

// HO12
fuser.host @negative(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected an event of at least 0, but got -1}}
  fuser.record -1
  fuser.return %x : tensor<8xf32>
}

// -----

// HO12
fuser.host @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{recorded here}}
  fuser.record 0
  // expected-error @below {{expected event 0 to be recorded once, but got another record}}
  fuser.record 0
  fuser.return %x : tensor<8xf32>
}

// -----

// HO13
fuser.host @wait(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected an event that is recorded before, but got event 1}}
  fuser.wait 1
  fuser.record 1
  fuser.return %x : tensor<8xf32>
}
