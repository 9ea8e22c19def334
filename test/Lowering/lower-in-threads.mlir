// Kernels are lowered in threads: neither kernel IR nor the order of diagnostics depends on them.
// RUN: fuser-opt %S/resume.mlir --fuser-lower-kernels --mlir-disable-threading > %t.serial
// RUN: fuser-opt %S/resume.mlir --fuser-lower-kernels | diff %t.serial -
// RUN: fuser-opt %S/resume.mlir --fuser-lower-kernels | diff %t.serial -
// RUN: fuser-opt %S/resume.mlir --fuser-build-loops | fuser-opt --fuser-lower-kernels | diff %t.serial -
// RUN: not fuser-opt %s --fuser-lower-kernels --mlir-disable-threading 2> %t.errors
// RUN: not fuser-opt %s --fuser-lower-kernels 2>&1 | diff %t.errors -
// RUN: FileCheck %s --input-file=%t.errors

// Each kernel that is refused says so, in the order of the text. A kernel whose facts are described, which is done with
// diagnostics off, is between them.
// CHECK: error: 'fuser.exp' op expected a vector access of 4 elements
// CHECK: error: 'fuser.exp' op expected a value in registers to be read where it was computed
// CHECK: note: the consumer is here
// CHECK: error: 'fuser.neg' op expected a vector access of 4 elements
// CHECK-NOT: error:
fuser.kernel @vector(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.kernel @equal(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<equal 0[0], 1[0]>]} {
  %0 = fuser.add %x, %y {domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.kernel @registers(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @thread_x, i1]>]} : tensor<32x32xf32>
  %1 = fuser.tanh %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @thread_x]>], memory = #fuser.memory<global>} : tensor<32x32xf32>
  fuser.return %1 : tensor<32x32xf32>
}

fuser.kernel @valid(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.kernel @negated(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
