// RUN: fuser-opt %s --split-input-file --verify-diagnostics
// ST13: what a window may be.

fuser.kernel @no_size(%x: tensor<4x8xf32>, %o: index) -> tensor<4x?xf32> {
  // expected-error @below {{expected an offset and a size for each of 1 dimensions, but got 1 offsets and 0 sizes}}
  %0 = "fuser.window"(%x, %o) {dims = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x8xf32>, index) -> tensor<4x?xf32>
  fuser.return %0 : tensor<4x?xf32>
}

// -----

fuser.kernel @order(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  // expected-error @below {{expected different dimensions of the input, in order, but got 0}}
  %0 = fuser.window %x dims [1, 0] at(%o, %o) sizes(%n, %n) : tensor<4x8xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.kernel @rank(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x?xf32> {
  // expected-error @below {{expected different dimensions of the input, in order, but got 2}}
  %0 = fuser.window %x dims [2] at(%o) sizes(%n) : tensor<4x8xf32> -> tensor<4x?xf32>
  fuser.return %0 : tensor<4x?xf32>
}

// -----

fuser.kernel @type(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x5xf32> {
  // expected-error @below {{expected the result type 'tensor<4x?xf32>', but got 'tensor<4x5xf32>'}}
  %0 = fuser.window %x dims [1] at(%o) sizes(%n) : tensor<4x8xf32> -> tensor<4x5xf32>
  fuser.return %0 : tensor<4x5xf32>
}

// -----

fuser.kernel @read(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x?xf32> {
  // expected-error @below {{expected no users but the return of the kernel}}
  %0 = fuser.window %x dims [1] at(%o) sizes(%n) : tensor<4x8xf32> -> tensor<4x?xf32>
  %1 = fuser.neg %0 : tensor<4x?xf32>
  fuser.return %1 : tensor<4x?xf32>
}

// -----

fuser.fusion @fusion(%x: tensor<4x8xf32>, %o: index, %n: index) -> tensor<4x?xf32> {
  // expected-error @below {{expects parent op 'fuser.kernel'}}
  %0 = fuser.window %x dims [1] at(%o) sizes(%n) : tensor<4x8xf32> -> tensor<4x?xf32>
  fuser.return %0 : tensor<4x?xf32>
}
