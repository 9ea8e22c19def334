// Values that are repeated along a dimension of size 1 and also stored without it.
// RUN: fuser-run %s --device=host --check-accesses --check --program=repeated | FileCheck %s
// RUN: fuser-run %s --device=host --check-accesses --check --program=repeated_twice --sizes=6 | FileCheck %s

// CHECK: check {{.*}} ok
// CHECK-NEXT: output 1: ok

// The argument is read by what has both dimensions of size 1 of the reshape, of which the first stands for the repeats in the
// loops of all: each of its elements is at two indices of these.
fuser.fusion @repeated(%x0: tensor<16xbf16>) -> (tensor<16x1x1xbf16>, tensor<8x4xbf16>) attributes {arg_layouts = [#fuser.layout<order = [0]>], output_orders = [unit, unit]} {
  %0 = fuser.reshape %x0 : tensor<16xbf16> -> tensor<16x1x1xbf16>
  %1 = fuser.add %x0, %x0 : tensor<16xbf16>
  %2 = fuser.cat %1, %1 dim 0 : (tensor<16xbf16>, tensor<16xbf16>) -> tensor<32xbf16>
  %3 = fuser.cat %0, %0 dim 1 : (tensor<16x1x1xbf16>, tensor<16x1x1xbf16>) -> tensor<16x2x1xbf16>
  %4 = fuser.reshape %3 : tensor<16x2x1xbf16> -> tensor<32xbf16>
  %5 = fuser.add %4, %2 : tensor<32xbf16>
  %6 = fuser.broadcast %x0 dims [1] : tensor<16xbf16> -> tensor<16x1xbf16>
  %7 = fuser.broadcast %6 dims [1] : tensor<16x1xbf16> -> tensor<16x1x1xbf16>
  %8 = fuser.reshape %5 : tensor<32xbf16> -> tensor<8x4xbf16>
  %9 = fuser.add %7, %0 : tensor<16x1x1xbf16>
  fuser.return %9, %8 : tensor<16x1x1xbf16>, tensor<8x4xbf16>
}

// The second stands for them, and the first for other repeats.
fuser.fusion @repeated_twice(%x: tensor<?xf32>) -> (tensor<?x1x1xf32>, tensor<?x3x2xf32>) {
  %0 = fuser.broadcast %x dims [1, 2] : tensor<?xf32> -> tensor<?x1x1xf32>
  %1 = fuser.neg %0 : tensor<?x1x1xf32>
  %2 = fuser.cat %1, %1 dim 2 : (tensor<?x1x1xf32>, tensor<?x1x1xf32>) -> tensor<?x1x2xf32>
  %3 = fuser.cat %2, %2, %2 dim 1 : (tensor<?x1x2xf32>, tensor<?x1x2xf32>, tensor<?x1x2xf32>) -> tensor<?x3x2xf32>
  %4 = fuser.exp %3 : tensor<?x3x2xf32>
  fuser.return %1, %4 : tensor<?x1x1xf32>, tensor<?x3x2xf32>
}
