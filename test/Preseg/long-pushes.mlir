// RUN: fuser-opt %s --fuser-reduce-scatters | FileCheck %s
// Pushes to few destinations: where each destination would look through very many elements, they stay.

// CHECK-LABEL: fuser.fusion @many
// CHECK: fuser.push
fuser.fusion @many(%s: tensor<20000000xi32>, %i: tensor<20000000xi64>, %x: tensor<16xi32>) -> tensor<16xi32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<20000000xi32>, tensor<20000000xi64>, tensor<16xi32>
  fuser.return %0 : tensor<16xi32>
}

// CHECK-LABEL: fuser.fusion @fewer
// CHECK-NOT: fuser.push
// CHECK: fuser.sum
fuser.fusion @fewer(%s: tensor<1000000xi32>, %i: tensor<1000000xi64>, %x: tensor<16xi32>) -> tensor<16xi32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<1000000xi32>, tensor<1000000xi64>, tensor<16xi32>
  fuser.return %0 : tensor<16xi32>
}

// So do those of an unknown number.
// CHECK-LABEL: fuser.fusion @unknown
// CHECK: fuser.push
fuser.fusion @unknown(%s: tensor<?xi32>, %i: tensor<?xi64>, %x: tensor<16xi32>) -> tensor<16xi32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?xi32>, tensor<?xi64>, tensor<16xi32>
  fuser.return %0 : tensor<16xi32>
}

// A destination looks through its row only.
// CHECK-LABEL: fuser.fusion @short_rows
// CHECK-NOT: fuser.push
// CHECK: fuser.scatter
fuser.fusion @short_rows(%s: tensor<?x100xi32>, %i: tensor<?x100xi64>, %x: tensor<?x16xi32>) -> tensor<?x16xi32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<?x100xi32>, tensor<?x100xi64>, tensor<?x16xi32>
  fuser.return %0 : tensor<?x16xi32>
}

// Of more destinations, each element is compared as often as would take longer than to combine it in memory.
// CHECK-LABEL: fuser.fusion @short_rows_of_many
// CHECK: fuser.push
fuser.fusion @short_rows_of_many(%s: tensor<?x100xi32>, %i: tensor<?x100xi64>, %x: tensor<?x50xi32>) -> tensor<?x50xi32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<?x100xi32>, tensor<?x100xi64>, tensor<?x50xi32>
  fuser.return %0 : tensor<?x50xi32>
}

// CHECK-LABEL: fuser.fusion @few_short_rows
// CHECK-NOT: fuser.push
// CHECK: fuser.sum
fuser.fusion @few_short_rows(%s: tensor<1000x100xi32>, %i: tensor<1000x100xi64>, %x: tensor<1000x50xi32>) -> tensor<1000x50xi32> {
  %0 = fuser.push %s at %i into %x dim 1 reduce add : tensor<1000x100xi32>, tensor<1000x100xi64>, tensor<1000x50xi32>
  fuser.return %0 : tensor<1000x50xi32>
}

// No atomic access combines products.
// CHECK-LABEL: fuser.fusion @products
// CHECK-NOT: fuser.push
// CHECK: fuser.prod
fuser.fusion @products(%s: tensor<20000000xi32>, %i: tensor<20000000xi64>, %x: tensor<16xi32>) -> tensor<16xi32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce mul : tensor<20000000xi32>, tensor<20000000xi64>, tensor<16xi32>
  fuser.return %0 : tensor<16xi32>
}

// CHECK-LABEL: fuser.fusion @empty
// CHECK-NOT: fuser.push
fuser.fusion @empty(%s: tensor<0xi32>, %i: tensor<0xi64>, %x: tensor<16xi32>) -> tensor<16xi32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<0xi32>, tensor<0xi64>, tensor<16xi32>
  fuser.return %0 : tensor<16xi32>
}
