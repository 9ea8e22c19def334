// RUN: fuser-opt %s --fuser-unroll-reductions | FileCheck %s
// RUN: fuser-opt %s --fuser-unroll-reductions | fuser-opt --fuser-unroll-reductions | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=distances --sizes=5x3,7x3 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=distances --sizes=0x3,7x3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=distances --sizes=1x3,1x3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=energies --sizes=30x3 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=chebyshev --sizes=33x8,65x8 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=counts --sizes=9x2,12x2 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=dice --sizes=2x4x5x7,2x4x5x7 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=dice --sizes=1x4x32x32,1x4x32x32 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=entropy --sizes=3x2x9 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=joined --sizes=7x5,7x5,7x5 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=halves --sizes=9x5,9x5,9x5 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=rays --sizes=9x20,9x20x3 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=rays --sizes=40x128,40x128x3 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=rays --sizes=3x1,3x1x3 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// RUN: fuser-run %s --device=host --check --program=pooled --sizes=9x20,9x20x2 | FileCheck %s --check-prefixes=CHECKED,SINGLE
// Reductions of few elements that are computed from repeated values or joined, and of few that are reduced again.

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
// CHECK-COUNT-3: fuser.sum
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

// A softmax of channels, and the sums over pixels of what it makes.
// CHECK-LABEL: fuser.fusion @dice
// CHECK-COUNT-4: fuser.slice %{{.*}} [0, {{[0-3]}}, 0, 0]
// CHECK: fuser.sum %{{.*}} dims [2, 3]
// CHECK: fuser.sum %{{.*}} dims [2, 3]
// CHECK-NOT: fuser.sum %{{.*}} dims [1]
// CHECK: fuser.return
fuser.fusion @dice(%x: tensor<?x4x?x?xf32>, %y: tensor<?x4x?x?xf32>) -> tensor<?x4xf32> {
  %0 = fuser.max %x dims [1] : tensor<?x4x?x?xf32> -> tensor<?x?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?x?xf32> -> tensor<?x1x?x?xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x4x?x?xf32>
  %3 = fuser.exp %2 : tensor<?x4x?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x4x?x?xf32> -> tensor<?x?x?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?x?x?xf32> -> tensor<?x1x?x?xf32>
  %6 = fuser.div %3, %5 : (tensor<?x4x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x4x?x?xf32>
  %7 = fuser.mul %6, %y : tensor<?x4x?x?xf32>
  %8 = fuser.sum %7 dims [2, 3] : tensor<?x4x?x?xf32> -> tensor<?x4xf32>
  %9 = fuser.sum %6 dims [2, 3] : tensor<?x4x?x?xf32> -> tensor<?x4xf32>
  %10 = fuser.div %8, %9 : tensor<?x4xf32>
  fuser.return %10 : tensor<?x4xf32>
}

// All dimensions may be reduced then. A cast is computed for each element.
// CHECK-LABEL: fuser.fusion @entropy
// CHECK-NOT: dims [1] : tensor<?x2x?xf32>
// CHECK: fuser.sum %{{.*}} dims [0, 1, 2]
fuser.fusion @entropy(%h: tensor<?x2x?xbf16>) -> tensor<f32> {
  %x = fuser.cast %h : tensor<?x2x?xbf16> to tensor<?x2x?xf32>
  %0 = fuser.exp %x : tensor<?x2x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x2x?xf32> -> tensor<?x?xf32>
  %2 = fuser.log %1 : tensor<?x?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %4 = fuser.sub %x, %3 : (tensor<?x2x?xf32>, tensor<?x1x?xf32>) -> tensor<?x2x?xf32>
  %5 = fuser.exp %4 : tensor<?x2x?xf32>
  %6 = fuser.mul %4, %5 : tensor<?x2x?xf32>
  %7 = fuser.sum %6 dims [0, 1, 2] : tensor<?x2x?xf32> -> tensor<f32>
  fuser.return %7 : tensor<f32>
}

// Not where the elements are stored, where they are adjacent in memory, of 5 channels, where all reductions have the same dimensions, and
// where the result is an output.
// CHECK-LABEL: fuser.fusion @stored
// CHECK: fuser.sum %{{.*}} dims [1]
fuser.fusion @stored(%x: tensor<?x4x?xf32>) -> (tensor<?x4xf32>, tensor<?x4x?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x4x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.div %x, %1 : (tensor<?x4x?xf32>, tensor<?x1x?xf32>) -> tensor<?x4x?xf32>
  %3 = fuser.sum %2 dims [2] : tensor<?x4x?xf32> -> tensor<?x4xf32>
  fuser.return %3, %2 : tensor<?x4xf32>, tensor<?x4x?xf32>
}

// CHECK-LABEL: fuser.fusion @adjacent
// CHECK: fuser.sum %{{.*}} dims [1]
fuser.fusion @adjacent(%x: tensor<?x4x?xf32>) -> tensor<?x4xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1]>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x4x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.div %x, %1 : (tensor<?x4x?xf32>, tensor<?x1x?xf32>) -> tensor<?x4x?xf32>
  %3 = fuser.sum %2 dims [2] : tensor<?x4x?xf32> -> tensor<?x4xf32>
  fuser.return %3 : tensor<?x4xf32>
}

// CHECK-LABEL: fuser.fusion @five
// CHECK: fuser.sum %{{.*}} dims [1]
fuser.fusion @five(%x: tensor<?x5x?xf32>) -> tensor<?x5xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x5x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.div %x, %1 : (tensor<?x5x?xf32>, tensor<?x1x?xf32>) -> tensor<?x5x?xf32>
  %3 = fuser.sum %2 dims [2] : tensor<?x5x?xf32> -> tensor<?x5xf32>
  fuser.return %3 : tensor<?x5xf32>
}

// CHECK-LABEL: fuser.fusion @equal
// CHECK-COUNT-2: fuser.sum %{{.*}} dims [1]
fuser.fusion @equal(%x: tensor<?x4x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x4x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.div %x, %1 : (tensor<?x4x?xf32>, tensor<?x1x?xf32>) -> tensor<?x4x?xf32>
  %3 = fuser.sum %2 dims [1] : tensor<?x4x?xf32> -> tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}

// CHECK-LABEL: fuser.fusion @results
// CHECK: fuser.sum %{{.*}} dims [1]
fuser.fusion @results(%x: tensor<?x4x?xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x4x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.div %x, %1 : (tensor<?x4x?xf32>, tensor<?x1x?xf32>) -> tensor<?x4x?xf32>
  %3 = fuser.sum %2 dims [2] : tensor<?x4x?xf32> -> tensor<?x4xf32>
  fuser.return %3, %0 : tensor<?x4xf32>, tensor<?x?xf32>
}

// Three values that are joined, and the norm of each three.
// CHECK-LABEL: fuser.fusion @joined
// CHECK-NOT: fuser.sum
// CHECK-COUNT-2: fuser.add
// CHECK: fuser.return
fuser.fusion @joined(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>, %z: tensor<?x5xf32>) -> tensor<?x5x3xf32> {
  %0 = fuser.broadcast %x dims [2] : tensor<?x5xf32> -> tensor<?x5x1xf32>
  %1 = fuser.broadcast %y dims [2] : tensor<?x5xf32> -> tensor<?x5x1xf32>
  %2 = fuser.broadcast %z dims [2] : tensor<?x5xf32> -> tensor<?x5x1xf32>
  %3 = fuser.cat %0, %1, %2 dim 2 : (tensor<?x5x1xf32>, tensor<?x5x1xf32>, tensor<?x5x1xf32>) -> tensor<?x5x3xf32>
  %4 = fuser.mul %3, %3 : tensor<?x5x3xf32>
  %5 = fuser.sum %4 dims [2] : tensor<?x5x3xf32> -> tensor<?x5xf32>
  %6 = fuser.broadcast %5 dims [2] : tensor<?x5xf32> -> tensor<?x5x1xf32>
  %7 = fuser.rsqrt %6 : tensor<?x5x1xf32>
  %8 = fuser.mul %3, %7 : (tensor<?x5x3xf32>, tensor<?x5x1xf32>) -> tensor<?x5x3xf32>
  fuser.return %8 : tensor<?x5x3xf32>
}

// A sum of half types is rounded once, a maximum never.
// CHECK-LABEL: fuser.fusion @halves
// CHECK-NOT: fuser.sum
// CHECK-NOT: fuser.max %
// CHECK-DAG: fuser.add {{.*}} : tensor<?x5xf32>
// CHECK-DAG: fuser.cast {{.*}} : tensor<?x5xf32> to tensor<?x5xbf16>
// CHECK-DAG: fuser.maximum {{.*}} : tensor<?x5xbf16>
// CHECK: fuser.return
fuser.fusion @halves(%x: tensor<?x5xbf16>, %y: tensor<?x5xbf16>, %z: tensor<?x5xbf16>) -> (tensor<?x5xbf16>, tensor<?x5xbf16>) {
  %0 = fuser.broadcast %x dims [1] : tensor<?x5xbf16> -> tensor<?x1x5xbf16>
  %1 = fuser.broadcast %y dims [1] : tensor<?x5xbf16> -> tensor<?x1x5xbf16>
  %2 = fuser.broadcast %z dims [1] : tensor<?x5xbf16> -> tensor<?x1x5xbf16>
  %3 = fuser.cat %0, %1, %2 dim 1 : (tensor<?x1x5xbf16>, tensor<?x1x5xbf16>, tensor<?x1x5xbf16>) -> tensor<?x3x5xbf16>
  %4 = fuser.exp %3 : tensor<?x3x5xbf16>
  %5 = fuser.sum %4 dims [1] : tensor<?x3x5xbf16> -> tensor<?x5xbf16>
  %6 = fuser.max %4 dims [1] : tensor<?x3x5xbf16> -> tensor<?x5xbf16>
  fuser.return %5, %6 : tensor<?x5xbf16>, tensor<?x5xbf16>
}

// Not of parts of several elements, nor along another dimension.
// CHECK-LABEL: fuser.fusion @parts
// CHECK-COUNT-2: fuser.sum
// CHECK: fuser.return
fuser.fusion @parts(%x: tensor<4x2xf32>, %y: tensor<4x1xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
  %0 = fuser.cat %x, %y dim 1 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %1 = fuser.sum %0 dims [1] : tensor<4x3xf32> -> tensor<4xf32>
  %2 = fuser.sum %0 dims [0] : tensor<4x3xf32> -> tensor<3xf32>
  fuser.return %1, %2 : tensor<4xf32>, tensor<3xf32>
}

// Norms of vectors whose coordinates are read one by one: of adjacent elements as well.
// CHECK-LABEL: fuser.fusion @unbound
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @unbound(%q: tensor<1000x4xf32>) -> (tensor<1000x1xf32>, tensor<1000x1xf32>) {
  %0 = fuser.mul %q, %q : tensor<1000x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<1000x4xf32> -> tensor<1000xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<1000xf32> -> tensor<1000x1xf32>
  %3 = fuser.sqrt %2 : tensor<1000x1xf32>
  %4 = fuser.div %q, %3 : (tensor<1000x4xf32>, tensor<1000x1xf32>) -> tensor<1000x4xf32>
  %5 = fuser.slice %4 [0, 0] [1000, 1] : tensor<1000x4xf32> -> tensor<1000x1xf32>
  %6 = fuser.slice %4 [0, 3] [1000, 1] : tensor<1000x4xf32> -> tensor<1000x1xf32>
  %7 = fuser.mul %5, %6 : tensor<1000x1xf32>
  fuser.return %7, %3 : tensor<1000x1xf32>, tensor<1000x1xf32>
}

// Not if a norm is stored whole: its kernel has the rows.
// CHECK-LABEL: fuser.fusion @unbound_and_whole
// CHECK: fuser.sum
fuser.fusion @unbound_and_whole(%q: tensor<1000x4xf32>) -> (tensor<1000x1xf32>, tensor<1000x4xf32>) {
  %0 = fuser.mul %q, %q : tensor<1000x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<1000x4xf32> -> tensor<1000xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<1000xf32> -> tensor<1000x1xf32>
  %3 = fuser.div %q, %2 : (tensor<1000x4xf32>, tensor<1000x1xf32>) -> tensor<1000x4xf32>
  %4 = fuser.slice %3 [0, 0] [1000, 1] : tensor<1000x4xf32> -> tensor<1000x1xf32>
  fuser.return %4, %3 : tensor<1000x1xf32>, tensor<1000x4xf32>
}

// Reductions of few elements of a part of each row: reductions of other parts share the kernel.
// CHECK-LABEL: fuser.fusion @parts_of_rows
// CHECK-COUNT-2: fuser.minimum
// CHECK-NOT: fuser.min %
fuser.fusion @parts_of_rows(%x: tensor<1000x4xf32>) -> tensor<1000xf32> {
  %0 = fuser.slice %x [0, 0] [1000, 2] strides [1, 2] : tensor<1000x4xf32> -> tensor<1000x2xf32>
  %1 = fuser.slice %x [0, 1] [1000, 2] strides [1, 2] : tensor<1000x4xf32> -> tensor<1000x2xf32>
  %2 = fuser.min %0 dims [1] : tensor<1000x2xf32> -> tensor<1000xf32>
  %3 = fuser.min %1 dims [1] : tensor<1000x2xf32> -> tensor<1000xf32>
  %4 = fuser.mul %2, %3 : tensor<1000xf32>
  fuser.return %4 : tensor<1000xf32>
}

// Not of whole rows, which a thread reads as a vector.
// CHECK-LABEL: fuser.fusion @whole_rows
// CHECK: fuser.min %
fuser.fusion @whole_rows(%x: tensor<1000x4xf32>) -> tensor<1000xf32> {
  %0 = fuser.min %x dims [1] : tensor<1000x4xf32> -> tensor<1000xf32>
  fuser.return %0 : tensor<1000xf32>
}

// The channels of colors, by the weights of which a scan computes the sums: one sum for each, in the kernel of the scan.
// CHECK-LABEL: fuser.fusion @rays
// CHECK: %[[W:.*]] = fuser.cumprod
// CHECK-COUNT-3: fuser.sum %{{.*}} dims [1] : tensor<?x?xf32> -> tensor<?xf32>
// CHECK: fuser.cat {{.*}} dim 1
// CHECK-NOT: fuser.sum
// CHECK: fuser.return
fuser.fusion @rays(%a: tensor<?x?xf32>, %color: tensor<?x?x3xf32>) -> tensor<?x3xf32> {
  %0 = fuser.cumprod %a dim 1 exclusive : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %2 = fuser.mul %1, %color : (tensor<?x?x1xf32>, tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %3 = fuser.sum %2 dims [1] : tensor<?x?x3xf32> -> tensor<?x3xf32>
  fuser.return %3 : tensor<?x3xf32>
}

// A softmax weighs them.
// CHECK-LABEL: fuser.fusion @pooled
// CHECK-COUNT-2: fuser.max %{{.*}} dims [1] : tensor<?x?xf32> -> tensor<?xf32>
// CHECK: fuser.cat {{.*}} dim 1
// CHECK: fuser.return
fuser.fusion @pooled(%a: tensor<?x?xf32>, %x: tensor<?x?x2xf32>) -> tensor<?x2xf32> {
  %0 = fuser.exp %a : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.div %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.broadcast %3 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %5 = fuser.mul %4, %x : (tensor<?x?x1xf32>, tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  %6 = fuser.max %5 dims [1] : tensor<?x?x2xf32> -> tensor<?x2xf32>
  fuser.return %6 : tensor<?x2xf32>
}

// Does nothing where nothing is combined along what is reduced, to rows that no kernel has whole, and to more channels.
// CHECK-LABEL: fuser.fusion @weighed
// CHECK: fuser.sum %{{.*}} dims [1] : tensor<?x?x3xf32> -> tensor<?x3xf32>
// CHECK: fuser.sum %{{.*}} dims [1] : tensor<4x5000x3xf32> -> tensor<4x3xf32>
// CHECK: fuser.sum %{{.*}} dims [1] : tensor<?x?x5xf32> -> tensor<?x5xf32>
fuser.fusion @weighed(%a: tensor<?x?x1xf32>, %x: tensor<?x?x3xf32>, %y: tensor<?x?x5xf32>, %b: tensor<4x5000x1xf32>, %z: tensor<4x5000x3xf32>)
    -> (tensor<?x3xf32>, tensor<4x3xf32>, tensor<?x5xf32>) {
  %0 = fuser.exp %a : tensor<?x?x1xf32>
  %1 = fuser.mul %0, %x : (tensor<?x?x1xf32>, tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?x3xf32> -> tensor<?x3xf32>
  %6 = fuser.cumsum %b dim 1 : tensor<4x5000x1xf32> -> tensor<4x5000x1xf32>
  %7 = fuser.mul %6, %z : (tensor<4x5000x1xf32>, tensor<4x5000x3xf32>) -> tensor<4x5000x3xf32>
  %8 = fuser.sum %7 dims [1] : tensor<4x5000x3xf32> -> tensor<4x3xf32>
  %3 = fuser.cumsum %a dim 1 : tensor<?x?x1xf32> -> tensor<?x?x1xf32>
  %4 = fuser.mul %3, %y : (tensor<?x?x1xf32>, tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x?x5xf32> -> tensor<?x5xf32>
  fuser.return %2, %8, %5 : tensor<?x3xf32>, tensor<4x3xf32>, tensor<?x5xf32>
}
