// RUN: fuser-opt %s --fuser-unroll-reductions | FileCheck %s
// RUN: fuser-opt %s --fuser-unroll-reductions | fuser-opt --fuser-unroll-reductions | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=distances --sizes=5x3,7x3 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=distances --sizes=0x3,7x3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=distances --sizes=1x3,1x3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=energies --sizes=30x3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=chebyshev --sizes=33x8,65x8 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=counts --sizes=9x2,12x2 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// Reductions of few elements that are computed from repeated values.

// SINGLE: kernels {{ *}}{{[a-z_]+}}_0: grid
// SINGLE-NEXT: compile
// CHECKED: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @distances
// CHECK-COUNT-3: fuser.slice
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @distances(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %0 = fuser.broadcast %x dims [1] : tensor<?x3xf32> -> tensor<?x1x3xf32>
  %1 = fuser.broadcast %y dims [0] : tensor<?x3xf32> -> tensor<1x?x3xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1x3xf32>, tensor<1x?x3xf32>) -> tensor<?x?x3xf32>
  %3 = fuser.mul %2, %2 : tensor<?x?x3xf32>
  %4 = fuser.sum %3 dims [2] : tensor<?x?x3xf32> -> tensor<?x?xf32>
  %5 = fuser.sqrt %4 : tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}

// Another reduction has the loops of the pairs.
// CHECK-LABEL: fuser.fusion @energies
// CHECK-COUNT-3: fuser.slice
// CHECK-COUNT-1: fuser.sum
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @energies(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %0 = fuser.broadcast %x dims [1] : tensor<?x3xf32> -> tensor<?x1x3xf32>
  %1 = fuser.broadcast %x dims [0] : tensor<?x3xf32> -> tensor<1x?x3xf32>
  %2 = fuser.sub %0, %1 : (tensor<?x1x3xf32>, tensor<1x?x3xf32>) -> tensor<?x?x3xf32>
  %3 = fuser.mul %2, %2 : tensor<?x?x3xf32>
  %4 = fuser.sum %3 dims [2] : tensor<?x?x3xf32> -> tensor<?x?xf32>
  %5 = fuser.add %4, %one : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %6 = fuser.reciprocal %5 : tensor<?x?xf32>
  %7 = fuser.sum %6 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %7 : tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @chebyshev
// CHECK-COUNT-7: fuser.maximum
// CHECK-NOT: fuser.max %
// CHECK: fuser.return
fuser.fusion @chebyshev(%x: tensor<33x8xf64>, %y: tensor<65x8xf64>) -> tensor<33x65xf64> {
  %0 = fuser.broadcast %x dims [1] : tensor<33x8xf64> -> tensor<33x1x8xf64>
  %1 = fuser.broadcast %y dims [0] : tensor<65x8xf64> -> tensor<1x65x8xf64>
  %2 = fuser.sub %0, %1 : (tensor<33x1x8xf64>, tensor<1x65x8xf64>) -> tensor<33x65x8xf64>
  %3 = fuser.abs %2 : tensor<33x65x8xf64>
  %4 = fuser.max %3 dims [2] : tensor<33x65x8xf64> -> tensor<33x65xf64>
  fuser.return %4 : tensor<33x65xf64>
}

// CHECK-LABEL: fuser.fusion @counts
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @counts(%x: tensor<9x2xi64>, %y: tensor<12x2xi64>) -> tensor<9x12xi64> {
  %0 = fuser.broadcast %x dims [1] : tensor<9x2xi64> -> tensor<9x1x2xi64>
  %1 = fuser.broadcast %y dims [0] : tensor<12x2xi64> -> tensor<1x12x2xi64>
  %2 = fuser.sub %0, %1 : (tensor<9x1x2xi64>, tensor<1x12x2xi64>) -> tensor<9x12x2xi64>
  %3 = fuser.sum %2 dims [2] : tensor<9x12x2xi64> -> tensor<9x12xi64>
  fuser.return %3 : tensor<9x12xi64>
}

// Not of what is read as a whole, of more elements, of half types, and where the operand is read elsewhere.
// CHECK-LABEL: fuser.fusion @others
// CHECK-COUNT-4: fuser.sum
// CHECK: fuser.return
fuser.fusion @others(%x: tensor<5x7x3xf32>, %y: tensor<5x1x3xf32>, %z: tensor<1x7x9xf32>, %w: tensor<5x1x9xf32>, %h: tensor<5x1x2xbf16>, %i: tensor<1x7x2xbf16>)
    -> (tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xbf16>, tensor<5x7xf32>, tensor<5x7x3xf32>) {
  %0 = fuser.mul %x, %y : (tensor<5x7x3xf32>, tensor<5x1x3xf32>) -> tensor<5x7x3xf32>
  %1 = fuser.sum %0 dims [2] : tensor<5x7x3xf32> -> tensor<5x7xf32>
  %2 = fuser.sub %z, %w : (tensor<1x7x9xf32>, tensor<5x1x9xf32>) -> tensor<5x7x9xf32>
  %3 = fuser.sum %2 dims [2] : tensor<5x7x9xf32> -> tensor<5x7xf32>
  %4 = fuser.sub %h, %i : (tensor<5x1x2xbf16>, tensor<1x7x2xbf16>) -> tensor<5x7x2xbf16>
  %5 = fuser.sum %4 dims [2] : tensor<5x7x2xbf16> -> tensor<5x7xbf16>
  %v = fuser.slice %z [0, 0, 0] [1, 7, 3] : tensor<1x7x9xf32> -> tensor<1x7x3xf32>
  %6 = fuser.sub %y, %v : (tensor<5x1x3xf32>, tensor<1x7x3xf32>) -> tensor<5x7x3xf32>
  %7 = fuser.sum %6 dims [2] : tensor<5x7x3xf32> -> tensor<5x7xf32>
  fuser.return %1, %3, %5, %7, %6 : tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xbf16>, tensor<5x7xf32>, tensor<5x7x3xf32>
}
