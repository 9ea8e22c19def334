// A sum over a padded row, next to a value that lacks the row's dimension: one kernel computes both if the row has
// elements. A call that crops all of them away gets kernels that do not rely on it.
// RUN: fuser-run %s --program=of_size --device=host --check --sizes=40x16,1x1 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=of_size --device=host --check --sizes=16x16,1x1 | FileCheck %s --check-prefix=SPLIT
// RUN: fuser-run %s --program=by_amount --device=host --check --sizes=9x16,1x1 --scalar=l=-3 --scalar=h=2 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=by_amount --device=host --check --sizes=9x16,1x1 --scalar=l=-20 --scalar=h=4 | FileCheck %s --check-prefix=SPLIT
// ONE: _1: grid
// ONE-NOT: _2: grid
// ONE: output 0: ok
// ONE: output 1: ok
// SPLIT: _2: grid
// SPLIT: output 0: ok
// SPLIT: output 1: ok

// The attribute of the fusion states that there are such calls.
// RUN: fuser-opt %s --fuser-segment-fusions | FileCheck %s --check-prefix=SEGMENTS
// SEGMENTS: fuser.kernel @allowed_0({{.*}}) -> tensor<1x1xf32> attributes {fuser.allows_empty}
// SEGMENTS: fuser.kernel @allowed_1({{.*}}) -> tensor<?xf32> attributes {fuser.allows_empty}

fuser.fusion @of_size(%x: tensor<?x?xf32>, %y: tensor<1x1xf32>) -> (tensor<?xf32>, tensor<1x1xf32>) {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %v = arith.constant 1.5 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %low = arith.subi %rows, %c20 : index
  %scale = fuser.sigmoid %y : tensor<1x1xf32>
  %p = fuser.pad %x low [0, %low] high [0, -12] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %m = fuser.mul %p, %scale : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  %s = fuser.sum %m dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %s, %scale : tensor<?xf32>, tensor<1x1xf32>
}

fuser.fusion @by_amount(%x: tensor<?x?xf32>, %y: tensor<1x1xf32>, %l: index, %h: index) -> (tensor<?xf32>, tensor<1x1xf32>) {
  %v = arith.constant 1.5 : f32
  %scale = fuser.sigmoid %y : tensor<1x1xf32>
  %p = fuser.pad %x low [0, %l] high [0, %h] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  %m = fuser.mul %p, %scale : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  %s = fuser.sum %m dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %s, %scale : tensor<?xf32>, tensor<1x1xf32>
}

fuser.fusion @allowed(%x: tensor<?x?xf32>, %y: tensor<1x1xf32>) -> (tensor<?xf32>, tensor<1x1xf32>) attributes {fuser.allows_empty} {
  %scale = fuser.sigmoid %y : tensor<1x1xf32>
  %m = fuser.mul %x, %scale : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  %s = fuser.sum %m dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %s, %scale : tensor<?xf32>, tensor<1x1xf32>
}
