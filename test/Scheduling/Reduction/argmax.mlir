// RUN: fuser-run %s --device=host --program=argmax --sizes=3x7 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=argmax --sizes=33x5002 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=argmax --sizes=1x1 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=argmax --sizes=5x0 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=argmin_of_all --sizes=33x129,33x129 --check | FileCheck %s --check-prefix=ALL
// RUN: fuser-run %s --device=host --program=argmin_of_all --sizes=300x700,300x700 --check | FileCheck %s --check-prefix=ALL
// An extreme and its place: the index is counted where it is needed, in the kernel of the reduction. Values of few bits make
// many equal elements, of which the first is to be found in whatever order blocks and threads combine.

// CHECK: kernels     argmax_0:
// CHECK-NEXT: compile
// CHECK: check       output 0: ok
fuser.fusion @argmax(%x: tensor<?x?xf8E5M2>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %d = arith.constant 1 : index
  %n = tensor.dim %x, %d : tensor<?x?xf8E5M2>
  %i = fuser.iota %zero, %one length(%n) : i64, i64 -> tensor<?xi64>
  %row = fuser.broadcast %i dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %z = arith.constant 0 : index
  %m = tensor.dim %x, %z : tensor<?x?xf8E5M2>
  %all = fuser.expand %row sizes(%m) : tensor<1x?xi64> -> tensor<?x?xi64>
  %max, %where = fuser.max_with_index %x, %all dims [1] : tensor<?x?xf8E5M2>, tensor<?x?xi64> -> tensor<?xf8E5M2>, tensor<?xi64>
  fuser.return %where : tensor<?xi64>
}

// ALL: kernels     argmin_of_all_0:
// ALL-NEXT: compile
// ALL: check       output 0: ok
// ALL: output 1: ok
fuser.fusion @argmin_of_all(%x: tensor<?x?xf8E4M3FN>, %i: tensor<?x?xi32>) -> (tensor<f8E4M3FN>, tensor<i32>) {
  %min, %where = fuser.min_with_index %x, %i dims [0, 1] : tensor<?x?xf8E4M3FN>, tensor<?x?xi32> -> tensor<f8E4M3FN>, tensor<i32>
  fuser.return %min, %where : tensor<f8E4M3FN>, tensor<i32>
}
