// RUN: fuser-run %s --device=host --check --size x=5x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size x=5x0 | FileCheck %s
// The size of a value of the kernel is an argument that the program does not have: layouts are those of the kernel's arguments.

// CHECK: check {{.*}} ok
fuser.fusion @f(%y: tensor<5xf32>, %x: tensor<5x?xf32>) -> (tensor<5x?xf32>, tensor<5x?xf32>) attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>, array<i64: 0, 1>]} {
  %0 = fuser.cat %x, %x dim 1 : (tensor<5x?xf32>, tensor<5x?xf32>) -> tensor<5x?xf32>
  %1 = fuser.sub %x, %x : tensor<5x?xf32>
  %2 = fuser.insert_slice %1 into %0 [0, 0] : tensor<5x?xf32> into tensor<5x?xf32>
  fuser.return %2, %0 : tensor<5x?xf32>, tensor<5x?xf32>
}
