// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Every indexing op round-trips in its pretty and its generic form.

// CHECK-LABEL: fuser.fusion @reads
fuser.fusion @reads(%x: tensor<?x100xf32>, %i: tensor<?x8xi64>, %b: tensor<1x8xi32>, %v: tensor<?xi32>) -> tensor<?x100xf32> {
  // CHECK: fuser.gather %x, %i dim 1 : tensor<?x100xf32>, tensor<?x8xi64> -> tensor<?x8xf32>
  %0 = fuser.gather %x, %i dim 1 : tensor<?x100xf32>, tensor<?x8xi64> -> tensor<?x8xf32>
  // CHECK: fuser.take_along_axis %x, %b dim 1 : tensor<?x100xf32>, tensor<1x8xi32> -> tensor<?x8xf32>
  %1 = fuser.take_along_axis %x, %b dim 1 : tensor<?x100xf32>, tensor<1x8xi32> -> tensor<?x8xf32>
  // CHECK: fuser.index_select %x, %v dim 0 : tensor<?x100xf32>, tensor<?xi32> -> tensor<?x100xf32>
  %2 = fuser.index_select %x, %v dim 0 : tensor<?x100xf32>, tensor<?xi32> -> tensor<?x100xf32>
  // CHECK: fuser.index_select %x, %i dim 1 : tensor<?x100xf32>, tensor<?x8xi64> -> tensor<?x?x8xf32>
  %s = fuser.index_select %x, %i dim 1 : tensor<?x100xf32>, tensor<?x8xi64> -> tensor<?x?x8xf32>
  // CHECK: fuser.scatter %{{.*}} at %i into %x dim 1 : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  %3 = fuser.scatter %0 at %i into %x dim 1 : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  // CHECK: fuser.scatter %{{.*}} at %i into %{{.*}} dim 1 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  %4 = fuser.scatter %0 at %i into %3 dim 1 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  // CHECK: reduce max
  %5 = fuser.scatter %0 at %i into %4 dim 1 reduce max : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  // CHECK: fuser.push %{{.*}} at %i into %{{.*}} dim 1 : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  %6 = fuser.push %0 at %i into %5 dim 1 : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  // CHECK: fuser.push %{{.*}} at %i into %{{.*}} dim 1 reduce min : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  %7 = fuser.push %0 at %i into %6 dim 1 reduce min : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
  fuser.return %7 : tensor<?x100xf32>
}
